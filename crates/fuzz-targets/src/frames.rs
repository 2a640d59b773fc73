//! Frames of the realtime protocol.

use cabinet_api::read_realtime_frame;

/// A frame is one command a line, or refused as a whole.
pub fn frames(bytes: &[u8]) {
    let Some(text) = crate::text_of(bytes) else {
        return;
    };
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let Some(commands) = read_realtime_frame(text) else {
        assert!(!lines.is_empty(), "an empty frame says nothing");
        return;
    };
    assert_eq!(commands.len(), lines.len());
    for (command, line) in commands.iter().zip(lines) {
        // Half of a surrogate pair is refused here, and passed over in a field that nobody reads.
        let Ok(json) = serde_json::from_str::<serde_json::Value>(line) else {
            continue;
        };
        let id = json.get("id").and_then(serde_json::Value::as_u64);
        assert_eq!(command.id.map(u64::from), id);
        let subscribed = command.subscribe.as_ref();
        let channel = json
            .pointer("/subscribe/channel")
            .and_then(serde_json::Value::as_str);
        assert_eq!(
            subscribed
                .map(|subscribe| subscribe.channel.as_str())
                .unwrap_or_default(),
            channel.unwrap_or_default()
        );
    }
}
