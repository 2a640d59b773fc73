//! Every setting there is. A new one needs an entry here and `make generate`.

use cabinet_app::SECRET_CHARS_MIN;

use super::definition::{
    Absence, Definition, Place, Required, Texts, absence, definition, option, place, settings,
    value_of,
};
use super::error::SettingsError;
use super::kinds::{
    Account, Address, Database, Email, File, Flag, Header, Hosts, Kind, LogFilter, Minutes, Number,
    RegisterCode, Seconds, Secret, Text, Url,
};

/// The secret key of every sandbox. It is public.
pub const SANDBOX_SECRET_KEY: &str = "sandbox-secret-key-worth-nothing-at-all";

/// Former names of settings, each with the present one.
pub(super) const RENAMED: &[(&str, &str)] =
    &[("codes.alike_answers", "codes.hide_account_existence")];

settings! {
    {
        /// Address and port the cabinet listens on.
        listen: Address, default "127.0.0.1:8080";
        /// Address of the cabinet in the notaries' browsers.
        public_url: Url, optional "`http://` and the address of `CABINET_LISTEN`";
        /// Address of the database.
        database_url: Database, default "sqlite:var/cabinet.sqlite";
        /// Signs access tokens, hashes codes, proves receipts. With another key every session ends, saved cards look new, and receipts
        /// printed before can't be checked.
        secret_key: Secret<SECRET_CHARS_MIN>, required, sandbox SANDBOX_SECRET_KEY;
        /// Header in which your proxy names the client's address, such as `X-Forwarded-For`. The last address in it counts.
        client_address_header: Header, optional "the connection's own address; needed where the public address is https";
        /// What is logged, such as `cabinet_app=debug,info`. Database drivers log no statements and realtime connections no messages, whatever
        /// it says.
        log: LogFilter, default "info";
        /// Address and port the sandbox listens on.
        sandbox_listen: Address, default "127.0.0.1:8081", in sandbox_only;
        /// Address and port of the sandbox's mail server. Port 0 means any free port.
        sandbox_smtp_listen: Address, default "127.0.0.1:0", in sandbox_only;
    }

    /// The acquirer.
    acquirer: Acquirer {
        /// Address of the acquirer's interface.
        base_url: Url, default "https://api.monobank.ua", in outside_sandbox;
        /// The merchant's token.
        token: Secret, required, in outside_sandbox;
        /// Hosts a payment page may be on.
        page_hosts: Hosts, default "pay.mbnk.biz,pay.monobank.ua", in outside_sandbox;
    }

    /// The SMS service.
    sms: Sms {
        /// Address of the SMS service.
        base_url: Url, default "https://api.turbosms.ua", in outside_sandbox;
        /// Token of the SMS service.
        token: Secret, required, in outside_sandbox;
        /// Registered name of the sender of SMS.
        sender: Text, required, sandbox "Cabinet";
    }

    /// The voice service.
    calls: VoiceService {
        /// Address of the voice service.
        base_url: Url, default "https://api.twilio.com", in outside_sandbox;
        /// Account at the voice service.
        account: Text, optional "nobody can log in by a call", in outside_sandbox;
        /// Token of the voice service. It also checks the service's reports.
        token: Secret, required, with "calls.account", in outside_sandbox;
        /// The number calls come from.
        caller: Text, required, with "calls.account", in outside_sandbox;
    }

    /// The mail server.
    mail: MailServer {
        /// Host name of the mail server.
        host: Text, optional "complaints are stored, and nobody gets a letter", in outside_sandbox;
        /// Port of the mail server: 465 for TLS from the start, any other for STARTTLS.
        port: Number<u16, 1, 65535>, default "587", with "mail.host", in outside_sandbox;
        /// User name at the mail server.
        user: Text, optional "the cabinet sends without logging in", with "mail.host", in outside_sandbox;
        /// Password of that user.
        password: Secret, optional "the cabinet sends without logging in", with "mail.host", in outside_sandbox;
        /// Sender of the letters: `Name <address>`, or the address alone.
        from: Text, required, with "mail.host", sandbox "Кабінет нотаріуса <cabinet@cabinet.example>";
    }

    /// One-time codes.
    codes: Codes {
        /// Number of digits of a one-time code.
        length: Number<u8, 4, 8>, default "4";
        /// Lifetime of a code, in minutes.
        lifetime_minutes: Minutes<1, 60>, default "5";
        /// Wrong tries before a new code is needed. Tries times codes a day, out of all codes of the length, is the chance to guess one within a
        /// day.
        tries_max: Number<i64, 1, 5>, default "3";
        /// Pause between two codes or calls for one phone while the first can still be answered, in seconds.
        resend_pause_seconds: Seconds<0, 3600>, default "30";
        /// Codes for one phone within an hour.
        phone_hourly_max: Number<i64, 1, 20>, default "5";
        /// Codes for one phone within a day.
        phone_daily_max: Number<i64, 1, 50>, default "10";
        /// Codes asked for from one network address within an hour. Tries with a phone that has no account, or is taken, count too.
        address_hourly_max: Number<i64, 1, 100_000>, default "60";
        /// Wrong codes from one network address within a day.
        address_wrong_daily_max: Number<i64, 1, 100_000>, default "60";
        /// `true`: a login by code and a sign-up answer alike for known and unknown phones.
        hide_account_existence: Flag, default "false";
    }

    /// Sessions.
    sessions: Sessions {
        /// Minutes without an action of the notary before a session ends. Requests that a page makes by itself do not count.
        idle_minutes: Minutes<1, 43_200>, default "240";
        /// Minutes before a session ends, whatever the notary does.
        absolute_minutes: Minutes<1, 43_200>, default "720";
    }

    /// Limits of API calls.
    limits: CallLimits {
        /// Login and sign-up calls of one network address within a minute.
        login_attempts_per_minute: Number<u32, 1, 1_000_000>, default "60", sandbox "6000";
        /// Calls of one notary that end at the acquirer, and exports, within a minute. A page that waits for a payment makes twelve.
        acquirer_calls_per_minute: Number<u32, 1, 1_000_000>, default "120", sandbox "6000";
    }

    /// The operator of the service.
    operator: ServiceOperator {
        /// Name of the operator, who runs the service and gets the commission. It stands on every receipt.
        name: Text, required, sandbox "ТОВ «Демонстраційний кабінет»";
        /// EDRPOU code of the operator.
        code: RegisterCode, required, sandbox "32855961";
        /// Bank account of the operator.
        iban: Account, required, sandbox "UA223052990000026001234567890";
        /// Postal address of the operator.
        address: Text, required, sandbox "м. Київ, вул. Демонстраційна, 1";
    }

    /// The support.
    support: SupportContacts {
        /// E-mail address of the support. It gets the complaints from the cart.
        email: Email, required, sandbox "support@cabinet.example";
        /// Telephone number of the support.
        phone: Text, required, sandbox "0 800 000 000";
    }

    /// The public offer.
    offer: Offer {
        /// Plain text of the public offer in Ukrainian. The sandbox has a sample.
        file_uk: File, required;
        /// Plain text of the public offer in English. The sandbox has a sample.
        file_en: File, required;
    }
}
