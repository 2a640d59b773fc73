//! What is kept of where a request comes from.

use std::net::IpAddr;

use cabinet_domain::{Browser, Network, Phone, names_payment_card};

/// Of a `User-Agent` only known words are kept, of an address only its network.
pub fn headers(bytes: &[u8]) {
    let Some(text) = crate::text_of(bytes) else {
        return;
    };
    if let Some(browser) = Browser::of_user_agent(text) {
        assert!(browser.as_str().len() <= 40);
        assert!(
            !browser
                .as_str()
                .contains(|letter: char| letter.is_control() || letter.is_numeric())
        );
        assert_eq!(Browser::parse_saved(browser.as_str()), Some(browser));
    }
    if let Some(saved) = Browser::parse_saved(text) {
        assert_eq!(saved.as_str(), text);
    }
    if let Ok(address) = text.trim().parse::<IpAddr>() {
        let network = Network::of(address);
        assert_eq!(
            Network::parse_saved(network.as_str()).as_ref(),
            Some(&network)
        );
        assert_eq!(Network::of(network_address(&network)), network);
        assert!(Phone::parse(network.as_str()).is_err() && !names_payment_card(network.as_str()));
    }
    if let Some(network) = Network::parse_saved(text) {
        assert_eq!(network.as_str(), text);
    }
}

fn network_address(network: &Network) -> IpAddr {
    network.as_str().split_once('/').unwrap().0.parse().unwrap()
}
