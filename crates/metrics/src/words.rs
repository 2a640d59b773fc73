//! The labels of our own metrics.

use cabinet_domain::OrderStatus;
use cabinet_domain::payment::{AlarmKind, PaymentEnding, SettlementVerdict};

use crate::labels::{Labels, Word, values};

impl Word for AlarmKind {
    const ALL: &'static [Self] = &AlarmKind::ALL;

    fn word(self) -> &'static str {
        self.as_str()
    }
}

impl Word for OrderStatus {
    const ALL: &'static [Self] = &OrderStatus::ALL;

    fn word(self) -> &'static str {
        self.as_str()
    }
}

/// How a payment ended, and who is to blame for it.
impl Labels for PaymentEnding {
    fn all() -> Vec<Self> {
        PaymentEnding::ALL.to_vec()
    }

    fn index(self) -> usize {
        PaymentEnding::ALL
            .iter()
            .position(|ending| *ending == self)
            .unwrap_or_default()
    }

    fn words(self) -> Vec<&'static str> {
        vec![self.as_str(), self.blamed().as_str()]
    }
}

values! {
    /// What a request is for. Service levels are measured by these groups.
    CallGroup {
        /// A payment depends on it: what is put into the cart, orders, their payment and their status.
        Paying = "paying",
        /// Logging in, signing up, confirming.
        Entrance = "entrance",
        /// The page of a client's link and what is done there.
        Client = "client",
        /// A report of the acquirer or of the voice service.
        Callback = "callback",
        /// Any other call.
        Other = "other",
        /// A page, or a file of one.
        Page = "page",
        /// Whether the cabinet is alive and ready.
        Probe = "probe",
    }
}

values! {
    /// How a request was answered.
    Answered {
        /// 1xx to 3xx.
        Ok = "ok",
        /// 4xx: the request was not right, or came too often.
        Refused = "refused",
        /// 5xx: the cabinet, or a service that it needs, has failed.
        Failed = "failed",
    }
}

impl Answered {
    /// Returns the outcome that a status means.
    #[must_use]
    pub const fn of(status: u16) -> Answered {
        match status {
            500.. => Answered::Failed,
            400..=499 => Answered::Refused,
            _ => Answered::Ok,
        }
    }
}

values! {
    /// The limit by which a connection was refused.
    RefusedBy {
        /// Connections of one address.
        Address = "address",
        /// All connections.
        All = "all",
    }
}

values! {
    /// What the client of a connection took too long for.
    CutBy {
        /// Taking its answer.
        Answer = "answer",
        /// Sending the body of a request.
        Body = "body",
        /// Sending the head of a request.
        Head = "head",
        /// Nothing: it was idle.
        Idle = "idle",
    }
}

values! {
    /// Whether an entered code was right.
    CodeVerdict {
        /// It was.
        Right = "right",
        /// It was not, or came too late.
        Refused = "refused",
    }
}

values! {
    /// How a report of the acquirer was taken.
    ReportVerdict {
        /// It contained something new.
        Applied = "applied",
        /// Its signature is not the acquirer's.
        BadSignature = "bad_signature",
        /// It contradicts what is known.
        Contradiction = "contradiction",
        /// It contained nothing newer than what is known.
        Late = "late",
        /// It has come before.
        Repeated = "repeated",
        /// It is about nothing of ours.
        Unknown = "unknown",
        /// It is genuine and can't be read.
        Unreadable = "unreadable",
    }
}

impl From<SettlementVerdict> for ReportVerdict {
    fn from(verdict: SettlementVerdict) -> Self {
        match verdict {
            SettlementVerdict::Applied => ReportVerdict::Applied,
            SettlementVerdict::Late => ReportVerdict::Late,
            SettlementVerdict::Unknown => ReportVerdict::Unknown,
            SettlementVerdict::Contradiction => ReportVerdict::Contradiction,
        }
    }
}

values! {
    /// How a try to send a letter or a text message ended.
    SendOutcome {
        /// The service took it.
        Delivered = "delivered",
        /// The letter could not be written.
        NotWritten = "not_written",
        /// The service refused it.
        Refused = "refused",
        /// The service did not answer; nothing was sent.
        Unavailable = "unavailable",
        /// It may have been sent.
        Unknown = "unknown",
    }
}

values! {
    /// What a unit of work does with the database.
    StorageAccess {
        /// It reads.
        Read = "read",
        /// It may write.
        Write = "write",
    }
}

values! {
    /// How a unit of work ended.
    UnitOutcome {
        /// Its result was committed.
        Ok = "ok",
        /// It was undone.
        Refused = "refused",
    }
}

values! {
    /// A loop of the worker.
    WorkerLoop {
        /// Seals the audit trail.
        Audit = "audit",
        /// Asks the message services how much money their accounts have.
        Balances = "balances",
        /// Has removed cards forgotten.
        Cards = "cards",
        /// Delivers letters and text messages.
        Letters = "letters",
        /// Looks after the metrics.
        Metrics = "metrics",
        /// Asks about orders, and tidies up.
        Orders = "orders",
        /// Measures what waits in the database.
        Queues = "queues",
        /// Compares payments with the acquirer's statement.
        Statement = "statement",
    }
}

values! {
    /// A service that sends text messages.
    SmsService {
        /// SMS Club.
        SmsClub = "smsclub",
        /// TurboSMS.
        TurboSms = "turbosms",
    }
}

values! {
    /// How a round of a loop ended.
    RoundOutcome {
        /// Every step was done.
        Ok = "ok",
        /// A step failed; it is tried again.
        Failed = "failed",
    }
}

values! {
    /// What waits for the worker, for the operator or for an outside service.
    Queue {
        /// Open alarms.
        Alarms = "alarms",
        /// Events of the audit trail that are not sealed.
        AuditEvents = "audit_events",
        /// Cancellations that were begun.
        Cancellations = "cancellations",
        /// Complaints without an answer.
        Complaints = "complaints",
        /// Letters to be sent.
        Letters = "letters",
        /// Names that confirmed accounts ask for.
        Names = "names",
        /// Accounts that wait for their confirmation.
        Notaries = "notaries",
        /// Letters and text messages that were given up.
        Parked = "parked",
        /// Returned parts about which nobody has decided.
        PartsReturned = "parts_returned",
        /// Payments about which the acquirer should have been asked.
        PaymentChecks = "payment_checks",
        /// Removed cards that the acquirer should have forgotten.
        RemovedCards = "removed_cards",
        /// Text messages to be sent.
        TextMessages = "text_messages",
        /// Transfers that a person holds.
        TransfersHeld = "transfers_held",
        /// Transfers for the bank's next list.
        TransfersToSend = "transfers_to_send",
    }
}

values! {
    /// The year whose fees the tables lack.
    FeeYear {
        /// The year of today.
        This = "this",
        /// The next one, from 1 December.
        Next = "next",
    }
}

values! {
    /// Who listens on a realtime connection.
    Listener {
        /// Somebody who is signed in, or has not said yet who they are.
        SignedIn = "signed_in",
        /// Somebody who is logging in.
        Stranger = "stranger",
    }
}

values! {
    /// A directive of a page's policy.
    Directive {
        /// No directive, or one that no policy of ours has.
        Other = "other",
        /// Addresses of relative links.
        BaseUri = "base-uri",
        /// Connections of scripts.
        ConnectSrc = "connect-src",
        /// What has no directive of its own.
        DefaultSrc = "default-src",
        /// Fonts.
        FontSrc = "font-src",
        /// Where forms are sent.
        FormAction = "form-action",
        /// Pages around ours.
        FrameAncestors = "frame-ancestors",
        /// Pages inside ours.
        FrameSrc = "frame-src",
        /// Images.
        ImgSrc = "img-src",
        /// Manifests.
        ManifestSrc = "manifest-src",
        /// Plug-ins.
        ObjectSrc = "object-src",
        /// Scripts.
        ScriptSrc = "script-src",
        /// Scripts in attributes.
        ScriptSrcAttr = "script-src-attr",
        /// Scripts in elements.
        ScriptSrcElem = "script-src-elem",
        /// Styles.
        StyleSrc = "style-src",
        /// Styles in elements.
        StyleSrcElem = "style-src-elem",
    }
}

values! {
    /// A screen whose load is timed.
    TimedScreen {
        /// The login.
        Login = "login",
        /// The form of a payment.
        PaymentForm = "payment_form",
    }
}

values! {
    /// How far the load of a page has come.
    LoadMoment {
        /// Something is shown.
        FirstPaint = "first_paint",
        /// The largest part of what is shown.
        LargestPaint = "largest_paint",
        /// It can be typed into the form.
        Usable = "usable",
    }
}

impl Directive {
    /// Returns the directive of a name; those that no policy of ours has count together.
    #[must_use]
    pub fn of(name: &str) -> Directive {
        let known = Directive::ALL.iter().find(|known| known.word() == name);
        known.copied().unwrap_or(Directive::Other)
    }
}
