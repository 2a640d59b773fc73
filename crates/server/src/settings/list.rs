//! Every setting there is. A new one needs an entry here and `make generate`.

use cabinet_app::SECRET_CHARS_MIN;
use cabinet_domain::ClientLink;

use super::definition::{
    Absence, Definition, Place, Required, Texts, absence, definition, option, place, settings,
    value_of,
};
use super::error::SettingsError;
use super::kinds::{
    Account, AcquirerOrder, Address, Confirmation, Database, DayOfYear, Days, Email, FeeReading,
    File, Flag, Header, Hosts, Hryvnias, Kind, LiqPayHash, LiqPayVersion, LogFilter, Marks,
    Minutes, Number, Prefixes, RegisterCode, Seconds, Secret, Secrets, SmsOrder, Templates, Text,
    Url, VatTerms,
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
        /// Address and port on which the metrics and the reasons of `/readyz` are served, for the operator alone.
        operations_listen: Address, optional "nobody is served the metrics and the reasons";
        /// Address of the cabinet in the notaries' browsers.
        public_url: Url, optional "`http://` and the address of `CABINET_LISTEN`";
        /// Address of the database.
        database_url: Database, default "sqlite:var/cabinet.sqlite";
        /// `true`: a PostgreSQL server on another machine may be reached without encryption.
        database_allow_plaintext: Flag, default "false";
        /// PEM file of the certificate authorities that may vouch for a PostgreSQL server with `sslmode=require`, such as your company's.
        database_root_certificates: File, optional "the public authorities";
        /// Connections to a PostgreSQL server. SQLite needs none.
        database_connections: Number<usize, 3, 500>, default "8";
        /// Signs access tokens, hashes codes, proves receipts. `cabinet keys new` makes one and says how to put it in the place of another.
        secret_key: Secret<SECRET_CHARS_MIN>, required, sandbox SANDBOX_SECRET_KEY;
        /// The secret key before the last rotation: what it signed is still accepted.
        previous_secret_key: Secret<SECRET_CHARS_MIN>, optional "tokens and codes from before a rotation are refused, and the pages fetch new ones";
        /// Names the notaries' wallets with saved cards at the acquirer. It is needed from the first rotation on: it is then the secret key from
        /// before it, and never changes.
        wallet_secret_key: Secret<SECRET_CHARS_MIN>, optional "the secret key names them";
        /// Secret keys that are no longer in use. Receipts printed under them can still be checked, and links of clients opened.
        receipt_secret_keys: Secrets<SECRET_CHARS_MIN>, optional "the secret key and the one before it prove receipts";
        /// Header in which your proxy names the client's address, such as `X-Forwarded-For`. The last address in it counts.
        client_address_header: Header, optional "the connection's own address; needed where the public address is https";
        /// Who confirms that the owner of a new account is a notary, before the first order: `register`, the register of notaries that was
        /// loaded, with the telephone or e-mail that it has, and the operator where it has no fitting row or no contact; `operator`; `none`, nobody, and every account may order at once.
        sign_up_confirmation: Confirmation, default "register";
        /// What is logged, such as `cabinet_app=debug,info`. Database drivers log no statements and realtime connections no messages, whatever
        /// it says.
        log: LogFilter, default "info";
        /// Address of a collector of traces (OpenTelemetry, OTLP over HTTP), such as `http://127.0.0.1:4318`. Spans have the ids of requests and
        /// orders, and no personal data.
        traces_endpoint: Url, optional "no traces are sent";
        /// Address and port the sandbox listens on.
        sandbox_listen: Address, default "127.0.0.1:8081", in sandbox_only;
        /// Address and port of the sandbox's mail server. Port 0 means any free port.
        sandbox_smtp_listen: Address, default "127.0.0.1:0", in sandbox_only;
        /// Address of the sandbox of another process with the same database, which is used in place of an own one. Its mail server is looked for at
        /// `CABINET_SANDBOX_SMTP_LISTEN`.
        sandbox_url: Url, optional "this process has a sandbox of its own", in sandbox_only;
    }

    /// The acquirers.
    acquirer: Acquirer {
        /// The acquirers that are asked for the payment page of a new payment, in the order in which they are asked: the next one only where
        /// those before were certainly sent nothing. `monobank` and `liqpay`. What was begun with an acquirer ends there, and saved cards are
        /// always monobank's.
        providers: AcquirerOrder, default "monobank";
        /// Address of monobank's interface.
        base_url: Url, default "https://api.monobank.ua", in outside_sandbox;
        /// The merchant's token at monobank.
        token: Secret, required, in outside_sandbox;
        /// Hosts a payment page of monobank may be on.
        page_hosts: Hosts, default "pay.mbnk.biz,pay.monobank.ua", in outside_sandbox;
        /// Minutes within which a charge stands on monobank's statement. A charge whose answer was lost can be paid again after that. monobank
        /// names no limit; its statements have been late by an hour.
        statement_minutes: Minutes<60, 4_320>, default "120";
        /// Minutes within which the state of an invoice of monobank tells a refund. One without a trace is given up after that.
        refund_minutes: Minutes<60, 4_320>, default "120";
        /// Legal name of monobank's bank, as in your contract with it. It stands on the receipts of what it charged.
        legal_name: Text, default "АТ «УНІВЕРСАЛ БАНК»";
    }

    /// The acquirer LiqPay.
    liqpay: LiqPayShop {
        /// Address of LiqPay's interface and payment page.
        base_url: Url, default "https://www.liqpay.ua", in outside_sandbox;
        /// Public key of the shop.
        public_key: Text, optional "LiqPay is not used", in outside_sandbox;
        /// Private key of the shop. It signs our requests and checks LiqPay's callbacks.
        private_key: Secret, required, with "liqpay.public_key", in outside_sandbox;
        /// Version of LiqPay's protocol, as the shop's settings at LiqPay name it.
        version: LiqPayVersion, default "7";
        /// Hash of our signatures: `sha1` with version 3, `sha3-256` with version 7.
        request_hash: LiqPayHash, default "sha3-256";
        /// Hash of the signatures of LiqPay's callbacks. The log says so where LiqPay uses the other one.
        callback_hash: LiqPayHash, default "sha3-256";
        /// Whether payments are compared with LiqPay's archive each day. Switch it off only where LiqPay does not give the shop its archive:
        /// then a charge of which no callback tells is found by nobody.
        archive: Flag, default "true";
        /// Minutes within which a charge stands in LiqPay's archive. LiqPay names no limit.
        statement_minutes: Minutes<60, 4_320>, default "120";
        /// Minutes within which LiqPay tells that a refund was made. It may queue one until the shop has the money.
        refund_minutes: Minutes<60, 10_080>, default "1440";
        /// Legal name of LiqPay's bank, as in your contract with it. It stands on the receipts of what it charged.
        legal_name: Text, default "АТ КБ «ПРИВАТБАНК»";
    }

    /// The SMS services.
    sms: Sms {
        /// The services that send SMS, in the order in which they are asked: the next one only where those before have certainly sent
        /// nothing. `turbosms` and `smsclub`.
        providers: SmsOrder, default "turbosms";
        /// Address of TurboSMS.
        base_url: Url, default "https://api.turbosms.ua", in outside_sandbox;
        /// Token of TurboSMS.
        token: Secret, required, in outside_sandbox;
        /// Name of the sender of SMS that is registered at TurboSMS.
        sender: Text, required, sandbox "Cabinet";
    }

    /// The second SMS service.
    smsclub: SmsClubAccount {
        /// Address of SMS Club.
        base_url: Url, default "https://im.smsclub.mobi", in outside_sandbox;
        /// Token of SMS Club.
        token: Secret, optional "SMS Club is not used", in outside_sandbox;
        /// Name of the sender of SMS that is registered at SMS Club.
        sender: Text, required, with "smsclub.token", sandbox "Cabinet";
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
        /// Pause between two codes for one phone while the first can still be answered, in seconds.
        resend_pause_seconds: Seconds<0, 3600>, default "30";
        /// Codes for one phone within an hour. Known and new devices are counted apart, here and in all limits of a phone.
        phone_hourly_max: Number<i64, 1, 20>, default "5";
        /// Codes for one phone within a day.
        phone_daily_max: Number<i64, 1, 50>, default "10";
        /// Wrong codes for one phone from new devices within a day, and of confirmations. After them, as after the last code, a login or
        /// a confirmation goes on by a call if a voice service is set up.
        new_device_wrong_daily_max: Number<i64, 1, 15>, default "5";
        /// Wrong registry identifiers for one phone from new devices within a day, in the custom step.
        custom_wrong_daily_max: Number<i64, 1, 10>, default "3";
        /// Pause between two calls for one phone, in seconds.
        call_pause_seconds: Seconds<0, 3600>, default "60";
        /// Calls for one phone within an hour.
        calls_hourly_max: Number<i64, 1, 60>, default "6";
        /// Calls for one phone within a day.
        calls_daily_max: Number<i64, 1, 200>, default "20";
        /// Codes asked for from one network address within an hour by new devices. Tries with a phone that has no account, or is taken, count
        /// too.
        address_hourly_max: Number<i64, 1, 100_000>, default "60";
        /// Wrong codes from one network address within a day.
        address_wrong_daily_max: Number<i64, 1, 100_000>, default "30";
        /// Codes asked for from one network (/24, or /48 of IPv6) within an hour by new devices.
        network_hourly_max: Number<i64, 1, 100_000>, default "120";
        /// Wrong codes from one network within a day.
        network_wrong_daily_max: Number<i64, 1, 100_000>, default "60";
        /// Messages with codes within an hour. Beyond them a login from a new device goes on by a call; known devices get theirs always.
        /// At four fifths the operator is told, and new devices get longer codes at longer intervals.
        messages_hourly_max: Number<i64, 1, 1_000_000>, default "3000";
        /// Calls to all phones within an hour. Beyond them a login from a new device by a call waits; known devices get theirs always. At
        /// four fifths the operator is told, and new devices are treated as while codes are being guessed.
        all_calls_hourly_max: Number<i64, 1, 1_000_000>, default "1000";
        /// Codes that new devices asked for within a day and nobody entered, after which the operator is told, new devices are treated as
        /// while codes are being guessed, and sign-ups wait; but no fewer than half of those that were entered, and a twentieth of the
        /// notaries.
        unanswered_min: Number<i64, 1, 1_000_000>, default "200";
        /// Wrong codes from new devices within a day, in the whole installation, after which codes count as being guessed. New devices
        /// then get longer codes at longer intervals.
        guessing_wrong_min: Number<i64, 1, 1000>, default "100";
        /// And at least so many percent of the notaries who signed in within that day.
        guessing_wrong_percent: Number<i64, 1, 10>, default "2";
        /// Number of digits of a code for a new device while codes are being guessed.
        guessing_length: Number<u8, 6, 8>, default "6";
        /// Pause between two codes for a new device while codes are being guessed, in seconds.
        guessing_pause_seconds: Seconds<0, 3600>, default "120";
        /// Codes asked for within a day from a network from which nobody has signed in for 30 days, while codes are being guessed.
        guessing_network_daily_max: Number<i64, 1, 1000>, default "2";
        /// The two digits after +380 of telephones that receive messages: those of the mobile operators.
        mobile_prefixes: Prefixes, default "39,50,63,66,67,68,73,75,77,91,92,93,94,95,96,97,98,99";
        /// `true`: a login by code and a sign-up answer alike for known and unknown phones.
        hide_account_existence: Flag, default "false";
        /// `true`: on a new device, the registry identifier of a login must be followed by a code.
        custom_step_needs_code: Flag, default "false";
        /// Hours for which a device must have signed the notary in before a code by SMS proves on it that a saved card may pay a recipient who
        /// is new to her, or a returned part may go to another account, and after which a passkey that she added proves it anywhere. Until then
        /// such a payment is made on the acquirer's page.
        device_known_after_hours: Number<i64, 0, 720>, default "24", sandbox "0";
    }

    /// Sessions.
    sessions: Sessions {
        /// Minutes without an action of the notary before a session ends. Requests that a page makes by itself do not count.
        idle_minutes: Minutes<1, 43_200>, default "240";
        /// Minutes before a session ends, whatever the notary does.
        absolute_minutes: Minutes<1, 43_200>, default "720";
    }

    /// Links by which clients pay orders.
    client_links: ClientLinks {
        /// Hours after which a link for a client ends. A notary may choose fewer for a link, not more.
        hours: Number<i64, 1, { ClientLink::HOURS_MAX }>, default "72";
        /// Links that one notary may have sent by SMS or email within 24 hours.
        sendings_daily_max: Number<i64, 1, 100_000>, default "100";
    }

    /// How long rows are kept.
    retention: Retention {
        /// Days that a session is kept after its end.
        sessions_days: Days<30, 3_650>, default "90";
        /// Days that codes, calls and refused logins are kept, as hashes. The limits look back 30 days.
        login_operations_days: Days<30, 3_650>, default "30";
        /// Days that a delivered letter is kept, without its text.
        letters_days: Days<1, 3_650>, default "30";
        /// Days that a complaint is kept. 0: for ever. No law names a period; three years are the general limit of claims (Civil Code,
        /// article 257).
        complaints_days: Days<0, 36_500>, default "1095";
        /// Days that the acquirer's reports are kept as received. 0: for ever. After that only their digests stay. They support the
        /// payments, so the doubt is that of the bookkeeping.
        reports_days: Days<0, 36_500>, default "1825";
        /// Days that events of the audit trail are kept, and up to a month longer. 0: for ever. No law names a period.
        audit_days: Days<0, 36_500>, default "1825";
        /// Days that an order names its client after its last change. The law asks for at least 1095 (Tax Code, article 44), and payment
        /// documents are often kept for five years: ask your accountant.
        bookkeeping_days: Days<1_095, 36_500>, default "1825";
        /// `true`: every order loses its names after that time. `false`: only those of clients and notaries who were erased.
        anonymise_orders: Flag, default "false";
    }

    /// Limits of accounts.
    accounts: AccountSettings {
        /// Days for which an account counts as young.
        young_days: Number<i64, 0, 3650>, default "30";
        /// The most that a young account may order within 24 hours, in hryvnias.
        young_daily_sum_max: Hryvnias, default "200000";
        /// Transfers of young accounts above this sum wait for the operator, in hryvnias.
        young_transfer_max: Hryvnias, default "50000";
        /// Payments of a young account that the bank may decline within an hour before it pauses.
        young_declines_hourly_max: Number<i64, 1, 10_000>, default "5";
        /// The same for any other account.
        declines_hourly_max: Number<i64, 1, 10_000>, default "30";
        /// The most that saved cards pay within 24 hours without a proof to recipients outside of the tables, in hryvnias. A notary may set
        /// another sum for herself.
        card_daily_unproved_max: Hryvnias, default "50000";
        /// The sum from which a notary is told of each charge of a saved card, in hryvnias. She may set another sum for herself.
        card_told_from: Hryvnias, default "20000";
    }

    /// Notarial acts.
    acts: ActSettings {
        /// Longest number of an act in the register of notarial acts, in characters. Numbers that are stored already stay as they are, here
        /// and below.
        register_number_chars_max: Number<usize, 10, 100>, default "40";
        /// The characters that such a number may have beside letters, digits and spaces, one after the other, such as `-/№`. `none`: no
        /// others. `any`: all that a line of text may have.
        register_number_marks: Marks, default "any";
    }

    /// The tables of fees.
    fees: FeeSettings {
        /// How disputed fees are read: the short terms of the business register (resolution 1133 of 25.12.2015). `surcharge`: the multiple is added
        /// to the ordinary fee. `whole`: it is the whole price.
        reading: FeeReading, default "whole";
        /// The day of the year, in Kyiv, from which payments at a fee of an earlier year are refused. `off`: they never are.
        last_year_refused_from: DayOfYear, default "01-31", sandbox "off";
        /// Templates that are offered although their table says that something about them is unconfirmed.
        unconfirmed_templates: Templates, optional "none of them is offered";
    }

    /// Limits of API calls.
    limits: CallLimits {
        /// Login and sign-up calls of one network address within a minute. Checks of receipts and realtime tokens without a login have as
        /// many of their own, and so have the confirmations of a notary.
        login_attempts_per_minute: Number<u32, 1, 1_000_000>, default "60", sandbox "6000";
        /// Calls of one notary that end at the acquirer, and exports, within a minute. A page that waits for a payment makes twelve.
        acquirer_calls_per_minute: Number<u32, 1, 1_000_000>, default "120", sandbox "6000";
    }

    /// Connections of the web server.
    connections: Connections {
        /// Time for the head of a request, in seconds.
        head_seconds: Seconds<1, 300>, default "10";
        /// Time between two requests of a connection, in seconds. Longer than your proxy keeps idle connections, so that it sends none into a
        /// connection that is being closed.
        idle_seconds: Seconds<1, 3600>, default "130";
        /// How long the cabinet still serves after it was told to stop, in seconds: `/readyz` is 404, and each connection ends with its next answer, so that
        /// a proxy that asks for it sends what is new to another cabinet. A second SIGTERM ends that at once. 0 stops without it.
        leaving_seconds: Seconds<0, 60>, default "3", sandbox "0";
        /// Time for the body of a request, and for a client to take the next part of an answer, in seconds.
        body_seconds: Seconds<1, 600>, default "30";
        /// Connections at a time.
        max: Number<usize, 10, 1_000_000>, default "20000";
        /// Connections of one network address at a time; behind a proxy, its requests at a time.
        address_max: Number<usize, 1, 1_000_000>, default "200", sandbox "20000";
        /// Calls that are being answered at a time, of those on which no payment depends. Payments and the acquirer's reports are answered beyond it.
        calls_max: Number<usize, 1, 100_000>, default "2000";
        /// Readings of carts, archives and lists that are done at a time; further ones wait for their turn. Fewer leave more of the
        /// processors and of the database's connections to payments.
        readings_max: Number<usize, 1, 10_000>, optional "SQLite: one less than the processors, at least one; PostgreSQL: two less than the connections to it";
        /// Realtime connections of one network address at a time whose owners are not signed in: they wait for a call.
        address_strangers_max: Number<usize, 1, 1_000>, default "50", sandbox "1000";
    }

    /// The operator of the service.
    operator: ServiceOperator {
        /// Name of the operator, who runs the service and gets the commission. It stands on every receipt.
        name: Text, required, sandbox "ТОВ «Демонстраційний кабінет»";
        /// EDRPOU code of the operator.
        code: RegisterCode, required, sandbox "32855961";
        /// Bank account of the operator. Transfers are paid from it.
        iban: Account, required, sandbox "UA573220010000026007233566001";
        /// Postal address of the operator.
        address: Text, required, sandbox "м. Київ, вул. Демонстраційна, 1";
        /// What commission receipts say of VAT: `unstated`, nothing; `without`, that there is none; a rate such as `20`, the VAT that the
        /// commission contains. Ask your accountant.
        vat: VatTerms, default "unstated";
    }

    /// The payment service provider that carries out the payments: the bank or the institution whose account pays the recipients.
    provider: PaymentProvider {
        /// Legal name of the provider. A notary may rely on a receipt for taxes only if it names a bank or a non-bank provider.
        name: Text, optional "receipts name no provider";
        /// EDRPOU code of the provider.
        code: RegisterCode, optional "receipts name the provider without a code", with "provider.name";
        /// Licence of the provider, or its entry in the register of the National Bank.
        authorisation: Text, optional "receipts name the provider without a licence", with "provider.name";
    }

    /// What receipts call the slip of a transfer in Ukrainian. The defaults follow NBU Instruction 163; resolution 20 of 26.02.2026 has rules of its
    /// own for transfers without an account: ask your provider which title it demands.
    receipt: ReceiptTitles {
        /// Title from the acceptance of the money until a bank confirms the transfer.
        title_accepted: Text, optional "`Відомості про переказ`";
        /// Title once a bank has confirmed the transfer.
        title_confirmed: Text, optional "`Платіжна інструкція`";
    }

    /// Fiscal registration of the commission. Whether receipts must name it is not confirmed: ask your accountant.
    fiscal: FiscalRegistration {
        /// Fiscal number that the tax service gave to the registrar of settlement operations.
        number: Text, optional "commission receipts name none";
        /// Number of the software registrar (ПРРО).
        prro_number: Text, optional "commission receipts name none";
        /// Address at which the tax service shows fiscal receipts.
        qr_url: Text, optional "commission receipts name none";
    }

    /// The support.
    support: SupportContacts {
        /// Email address of the support. It gets the complaints from the cart.
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
