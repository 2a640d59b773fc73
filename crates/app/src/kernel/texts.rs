//! Texts for text messages, letters and the acquirer's pages.

use cabinet_domain::{
    AccountStanding, Browser, CancelledItems, CardFigures, Complaint, Email, Iban, ItemContent,
    Locale, LoginStep, Money, Network, NotaryStatus, Okpo, Order, OrderId, PasskeyAct, Phone,
    Profile, kyiv_time, without_codes,
};
use cabinet_receipts::kind_name;
use jiff::Zoned;
use jiff::civil::Date;

use crate::account::{Account, ActToProve, ProfileChange};
use crate::operator::account_change::AccountChange;
use crate::payment::asked_proof::{AskedProof, ProofSubject};
use crate::worker::outbox::{LetterText, Notice};

/// Returns the text message with a code. The code comes first, because previews show the beginning.
pub(crate) fn code_message(locale: Locale, code: &str) -> String {
    match locale {
        Locale::Uk => {
            format!("{code} – код входу до кабінету нотаріуса. Нікому не повідомляйте.")
        }
        Locale::En => {
            format!("{code} is your code for the notary dashboard. Do not share it with anyone.")
        }
    }
}

/// Returns the message with the code that confirms a new account. It goes to the contact of the register, whose owner may never have heard of
/// the account, so it names it by its telephone.
pub(crate) fn account_code(locale: Locale, code: &str, phone: &Phone) -> Notice {
    let phone = phone.masked();
    let (subject, short, more) = match locale {
        Locale::Uk => (
            "Код підтвердження облікового запису нотаріуса",
            format!(
                "{code} – код, щоб підтвердити Ваш обліковий запис у кабінеті нотаріуса з телефоном {phone}. \
                 Не Ви реєструвалися? Нікому не повідомляйте код."
            ),
            "Лист надіслано на адресу з реєстру нотаріусів. Якщо Ви не реєструвалися, нічого не робіть: без коду запис не підтвердять.",
        ),
        Locale::En => (
            "Code to confirm a notary’s account",
            format!(
                "{code} is your code to confirm your account in the notary dashboard with the telephone {phone}. \
                 Did you not sign up? Tell the code to nobody."
            ),
            "This letter was sent to the address in the register of notaries. If you did not sign up, do nothing: without the code the account is not confirmed.",
        ),
    };
    let text = format!("{short}\n\n{more}\n");
    let subject = subject.to_owned();
    Notice {
        letter: LetterText { subject, text },
        short,
    }
}

/// Returns the text message with the code that proves a payment. It names what is paid, so that nobody enters it for something else.
pub(crate) fn proof_message(locale: Locale, code: &str, asked: &AskedProof) -> String {
    if let ProofSubject::CardFigures(figures) = &asked.subject {
        let daily = figures.daily_unproved_max.display(locale);
        let told = figures.told_from.display(locale);
        return match locale {
            Locale::Uk => format!(
                "{code} – код, щоб змінити межі збережених карток: без підтвердження до {daily} грн на добу, \
                 повідомлення від {told} грн. Нікому його не повідомляйте."
            ),
            Locale::En => format!(
                "{code} is your code to change the limits of saved cards: without confirmation up to UAH {daily} a day, \
                 messages from UAH {told}. Tell it to nobody."
            ),
        };
    }
    if let ProofSubject::Act(act) = &asked.subject {
        return act_message(locale, code, act);
    }
    let sum = asked.sum.display(locale);
    let new = asked.new_recipients;
    let largest = asked.largest.as_ref();
    let largest = largest.map(|largest| (largest.sum.display(locale), &largest.account_end));
    let is_part = matches!(asked.subject, ProofSubject::Part(_));
    match (locale, largest) {
        (Locale::Uk, Some((part, end))) if is_part => format!(
            "{code} – код переказу {part} грн на рахунок …{end}. Нікому його не повідомляйте."
        ),
        (Locale::En, Some((part, end))) if is_part => format!(
            "{code} is your code to send UAH {part} to the account …{end}. Tell it to nobody."
        ),
        (Locale::Uk, None) => {
            format!("{code} – код оплати {sum} грн карткою. Нікому його не повідомляйте.")
        }
        (Locale::Uk, Some((part, end))) => format!(
            "{code} – код оплати {sum} грн. Нових отримувачів: {new}, найбільше {part} грн на рахунок …{end}. \
             Нікому його не повідомляйте."
        ),
        (Locale::En, None) => {
            format!("{code} is your code to pay UAH {sum} by card. Tell it to nobody.")
        }
        (Locale::En, Some((part, end))) => format!(
            "{code} is your code to pay UAH {sum}. New recipients: {new}, the most UAH {part} to the account …{end}. \
             Tell it to nobody."
        ),
    }
}

/// Returns the text message with the code that proves an act on the account. It names what is saved.
fn act_message(locale: Locale, code: &str, act: &ActToProve) -> String {
    let what = match (locale, act) {
        (Locale::Uk, ActToProve::Profile(change)) => {
            format!("зберегти у Вашому кабінеті: {}", named(locale, change))
        }
        (Locale::En, ActToProve::Profile(change)) => {
            format!("save in your dashboard: {}", named(locale, change))
        }
        (Locale::Uk, ActToProve::Recipient(change)) => {
            let account = account_named(locale, &change.account);
            format!("зберегти отримувача: {account}")
        }
        (Locale::En, ActToProve::Recipient(change)) => {
            let account = account_named(locale, &change.account);
            format!("save a recipient: {account}")
        }
        (Locale::Uk, ActToProve::OwnAccount(account)) => format!(
            "додати платіж на інший власний рахунок: {}",
            account_named(locale, account)
        ),
        (Locale::En, ActToProve::OwnAccount(account)) => format!(
            "add a payment to another account of your own: {}",
            account_named(locale, account)
        ),
        (Locale::Uk, ActToProve::EndSessions(None)) => {
            "завершити всі інші сеанси в кабінеті нотаріуса".to_owned()
        }
        (Locale::En, ActToProve::EndSessions(None)) => {
            "end all other sessions in the notary dashboard".to_owned()
        }
        (Locale::Uk, ActToProve::EndSessions(Some(_))) => {
            "завершити інший сеанс у кабінеті нотаріуса".to_owned()
        }
        (Locale::En, ActToProve::EndSessions(Some(_))) => {
            "end another session in the notary dashboard".to_owned()
        }
    };
    match locale {
        Locale::Uk => format!("{code} – код, щоб {what}. Нікому його не повідомляйте."),
        Locale::En => format!("{code} is your code to {what}. Tell it to nobody."),
    }
}

/// Names what of a profile changes, as it is afterwards.
fn named(locale: Locale, change: &ProfileChange) -> String {
    let (account, email, phone, identifier) = match locale {
        Locale::Uk => ("рахунок", "e-mail", "другий телефон", "ідентифікатор"),
        Locale::En => ("account", "e-mail", "second phone", "identifier"),
    };
    let mut fields = Vec::new();
    if let Some(changed) = &change.account {
        fields.push(match changed {
            Account {
                iban: None,
                okpo: None,
            } => format!("{account} –"),
            changed => account_named(locale, changed),
        });
    }
    if let Some(changed) = &change.email {
        // Whoever asks chose the address: a message of ours must not carry a text of theirs.
        let changed = changed
            .as_ref()
            .map_or_else(|| "–".to_owned(), Email::masked);
        fields.push(format!("{email} {changed}"));
    }
    if let Some(changed) = &change.phone_additional {
        let changed = changed
            .as_ref()
            .map_or_else(|| "–".to_owned(), |number| end(number.as_str()));
        fields.push(format!("{phone} {changed}"));
    }
    if let Some(changed) = &change.registry_identifier {
        fields.push(format!("{identifier} {}", changed.as_str()));
    }
    fields.join(", ")
}

fn account_named(locale: Locale, Account { iban, okpo }: &Account) -> String {
    let (account, code) = match locale {
        Locale::Uk => ("рахунок", "код"),
        Locale::En => ("account", "code"),
    };
    let end_of = |text: Option<&str>| text.map_or_else(|| "–".to_owned(), end);
    let (iban, okpo) = (
        end_of(iban.as_ref().map(Iban::as_str)),
        end_of(okpo.as_ref().map(Okpo::as_str)),
    );
    format!("{account} {iban}, {code} {okpo}")
}

/// Returns the last four characters of a text of digits and Latin letters.
fn end(text: &str) -> String {
    let place = text.len().saturating_sub(4);
    format!("…{}", text.get(place..).unwrap_or_default())
}

/// Returns the text message with the code that proves an act on passkeys. It names the act, so that nobody enters it for something else.
pub(crate) fn passkey_message(locale: Locale, code: &str, act: PasskeyAct) -> String {
    match (locale, act) {
        (Locale::Uk, PasskeyAct::Add) => format!(
            "{code} – код, щоб додати ключ доступу до кабінету нотаріуса. Нікому його не повідомляйте."
        ),
        (Locale::Uk, PasskeyAct::Remove) => format!(
            "{code} – код, щоб видалити ключ доступу до кабінету нотаріуса. Нікому його не повідомляйте."
        ),
        (Locale::En, PasskeyAct::Add) => format!(
            "{code} is your code to add a passkey to the notary dashboard. Tell it to nobody."
        ),
        (Locale::En, PasskeyAct::Remove) => format!(
            "{code} is your code to delete a passkey of the notary dashboard. Tell it to nobody."
        ),
    }
}

/// What became of a notary's passkeys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PasskeyChange {
    /// One was added.
    Added,
    /// One was removed.
    Removed,
}

/// Returns the notice of an added or removed passkey. It does not name it: letters stay in mailboxes.
pub(crate) fn changed_passkeys(change: PasskeyChange, at: &Zoned, support_phone: &str) -> Notice {
    let (what, more) = match change {
        PasskeyChange::Added => (
            "додано ключ доступу",
            "З ним можна входити без номера телефону й коду.",
        ),
        PasskeyChange::Removed => ("видалено ключ доступу", "З ним більше не можна входити."),
    };
    let at = at.strftime("%d.%m.%Y, %H:%M");
    Notice {
        short: format!("У кабінеті нотаріуса {what} ({at}). Не Ви? Телефонуйте {support_phone}"),
        letter: LetterText {
            subject: "Ключі доступу до кабінету нотаріуса".to_owned(),
            text: format!(
                "У Вашому кабінеті {what}. {more}\n\n\
                 Час: {at} за київським часом\n\n\
                 Якщо це зробили не Ви, перевірте ключі доступу на сторінці «Безпека» і негайно зателефонуйте до служби підтримки: {support_phone}.\n"
            ),
        },
    }
}

/// Returns the notice of larger figures for saved cards.
pub(crate) fn changed_card_figures(
    figures: CardFigures,
    at: &Zoned,
    support_phone: &str,
) -> Notice {
    let daily = figures.daily_unproved_max.display(Locale::Uk);
    let told = figures.told_from.display(Locale::Uk);
    let what = format!(
        "змінено межі збережених карток: без підтвердження до {daily} грн на добу, повідомлення від {told} грн"
    );
    let at = at.strftime("%d.%m.%Y, %H:%M");
    Notice {
        short: format!("У кабінеті нотаріуса {what} ({at}). Не Ви? Телефонуйте {support_phone}"),
        letter: LetterText {
            subject: "Межі збережених карток у кабінеті нотаріуса".to_owned(),
            text: format!(
                "У Вашому кабінеті {what}.\n\n\
                 Час: {at} за київським часом\n\n\
                 Якщо це зробили не Ви, негайно зателефонуйте до служби підтримки: {support_phone}.\n"
            ),
        },
    }
}

/// Returns the notice of a large charge of a saved card. It names no recipient: letters stay in mailboxes.
pub(crate) fn charged_card(order: &Order, at: &Zoned, support_phone: &str) -> Notice {
    let (number, sum) = (order.number, order.sum.display(Locale::Uk));
    let at = at.strftime("%d.%m.%Y, %H:%M");
    Notice {
        short: format!(
            "Збереженою карткою сплачено {sum} грн, замовлення № {number} ({at}). Не Ви? Телефонуйте {support_phone}"
        ),
        letter: LetterText {
            subject: format!("Збереженою карткою оплачено замовлення № {number}"),
            text: format!(
                "У Вашому кабінеті збереженою карткою оплачено замовлення № {number} на {sum} грн.\n\n\
                 Час: {at} за київським часом\n\n\
                 Від якої суми про це повідомляти, Ви вказуєте на сторінці «Безпека».\n\n\
                 Якщо це зробили не Ви, негайно зателефонуйте до служби підтримки: {support_phone}.\n"
            ),
        },
    }
}

/// An entry from a device that has not signed the notary in before.
pub(crate) struct NewDevice<'a> {
    pub(crate) browser: Option<&'a Browser>,
    pub(crate) network: &'a Network,
    /// In Kyiv.
    pub(crate) at: Zoned,
    pub(crate) support_phone: &'a str,
}

/// Returns the notice of an entry from a new device. Notices about the account are in Ukrainian: whoever has caused one may have chosen
/// another language.
pub(crate) fn new_device(device: &NewDevice<'_>) -> Notice {
    let at = device.at.strftime("%d.%m.%Y, %H:%M");
    let (network, support) = (device.network.as_str(), device.support_phone);
    let browser = device.browser.map_or("невідомий браузер", Browser::as_str);
    Notice {
        short: format!(
            "Вхід до кабінету нотаріуса з нового пристрою: {browser}, {at}. Не Ви? Телефонуйте {support}"
        ),
        letter: LetterText {
            subject: "Вхід до кабінету нотаріуса з нового пристрою".to_owned(),
            text: format!(
                "До Вашого кабінету увійшли з пристрою, з якого раніше не входили.\n\n\
                 Браузер: {browser}\n\
                 Мережа: {network}\n\
                 Час: {at} за київським часом\n\n\
                 Якщо це були Ви, нічого робити не потрібно.\n\
                 Якщо ні, завершіть цей сеанс на сторінці «Безпека» і зателефонуйте до служби підтримки: {support}.\n"
            ),
        },
    }
}

/// A part of the profile whose change is told to the notary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangedField {
    /// The account or its code.
    Account,
    /// The e-mail address.
    Email,
    /// The second phone.
    PhoneAdditional,
    /// The registry identifier.
    RegistryIdentifier,
    /// The phone of the login.
    Phone,
    /// The name.
    FullName,
    /// The name that waits for the operator.
    RequestedName,
    /// The tax id.
    Inn,
}

impl ChangedField {
    /// Returns the fields of which the notary is told: those that are proved, and those whose new value papers and transfers bear.
    pub(crate) fn between(
        known: &Profile,
        changed: &Profile,
        change: &ProfileChange,
    ) -> Vec<ChangedField> {
        let fields = [
            (ChangedField::FullName, known.full_name != changed.full_name),
            (ChangedField::Inn, known.inn != changed.inn),
            (ChangedField::Account, change.account.is_some()),
            (ChangedField::Email, change.email.is_some()),
            (
                ChangedField::PhoneAdditional,
                change.phone_additional.is_some(),
            ),
            (
                ChangedField::RegistryIdentifier,
                change.registry_identifier.is_some(),
            ),
        ];
        let changed = fields.into_iter().filter(|(_, is_changed)| *is_changed);
        changed.map(|(field, _)| field).collect()
    }

    const fn name(self) -> &'static str {
        match self {
            ChangedField::Account => "рахунок IBAN або код його власника",
            ChangedField::Email => "електронна пошта",
            ChangedField::PhoneAdditional => "додатковий телефон",
            ChangedField::RegistryIdentifier => "ідентифікатор у реєстрі",
            ChangedField::Phone => "телефон для входу",
            ChangedField::FullName => "ПІБ",
            ChangedField::RequestedName => "ПІБ (після підтвердження службою підтримки)",
            ChangedField::Inn => "РНОКПП",
        }
    }
}

/// Returns the notice of a changed profile. It names the fields, not their values: letters stay in mailboxes.
pub(crate) fn changed_profile(fields: &[ChangedField], at: &Zoned, support_phone: &str) -> Notice {
    let names: Vec<&str> = fields.iter().map(|field| field.name()).collect();
    let (names, at) = (names.join(", "), at.strftime("%d.%m.%Y, %H:%M"));
    Notice {
        short: format!(
            "У кабінеті нотаріуса змінено: {names} ({at}). Не Ви? Телефонуйте {support_phone}"
        ),
        letter: LetterText {
            subject: "Зміна даних у кабінеті нотаріуса".to_owned(),
            text: format!(
                "У Вашій картці нотаріуса змінено: {names}.\n\n\
                 Час: {at} за київським часом\n\n\
                 Якщо це зробили не Ви, негайно зателефонуйте до служби підтримки: {support_phone}.\n"
            ),
        },
    }
}

/// Returns the notice of what the operator has changed of an account. The operator's reason is not repeated: it may speak of others.
pub(crate) fn changed_by_operator(
    change: AccountChange,
    at: &Zoned,
    support_phone: &str,
) -> Notice {
    let mut what = Vec::new();
    match change.login_step {
        Some(LoginStep::Otp) => what.push("вхід за кодом із SMS"),
        Some(LoginStep::PhoneCall) => what.push("вхід за дзвінком"),
        Some(LoginStep::Custom) => what.push("вхід за ідентифікатором у реєстрі"),
        None => {}
    }
    match change.chooses_payment_method {
        Some(true) => what.push("оплата збереженою карткою або на сторінці банку"),
        Some(false) => what.push("оплата одразу на сторінці банку"),
        None => {}
    }
    if change.end_sessions {
        what.push("усі сеанси завершено");
    }
    let (what, at) = (what.join(", "), at.strftime("%d.%m.%Y, %H:%M"));
    let ask = if support_phone.is_empty() {
        "Не просили про це? Зверніться до служби підтримки".to_owned()
    } else {
        format!("Не просили про це? Телефонуйте {support_phone}")
    };
    Notice {
        short: format!(
            "Кабінет нотаріуса: служба підтримки змінила налаштування ({at}): {what}. {ask}"
        ),
        letter: LetterText {
            subject: "Зміна налаштувань у кабінеті нотаріуса".to_owned(),
            text: format!(
                "Служба підтримки змінила налаштування Вашого кабінету: {what}.\n\n\
                 Час: {at} за київським часом\n\n\
                 {ask}.\n"
            ),
        },
    }
}

/// What of a saved recipient is told to the notary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecipientNotice {
    /// It is a new one.
    New,
    /// It has another account or code.
    Account,
    /// It has another title or name.
    Name,
    /// It has another budget code or purpose.
    Purpose,
}

/// Returns the notice of a saved recipient. It names neither recipient nor account: letters stay in mailboxes.
pub(crate) fn saved_recipient(of: RecipientNotice, at: &Zoned, support_phone: &str) -> Notice {
    let what = match of {
        RecipientNotice::New => "збережено нового отримувача",
        RecipientNotice::Account => "змінено рахунок або код збереженого отримувача",
        RecipientNotice::Name => "змінено назву збереженого отримувача",
        RecipientNotice::Purpose => "змінено призначення або код бюджету збереженого отримувача",
    };
    let at = at.strftime("%d.%m.%Y, %H:%M");
    Notice {
        short: format!("У кабінеті нотаріуса {what} ({at}). Не Ви? Телефонуйте {support_phone}"),
        letter: LetterText {
            subject: "Збережені отримувачі в кабінеті нотаріуса".to_owned(),
            text: format!(
                "У Вашому кабінеті {what}.\n\n\
                 Час: {at} за київським часом\n\n\
                 Якщо це зробили не Ви, видаліть цього отримувача і негайно зателефонуйте до служби підтримки: {support_phone}.\n"
            ),
        },
    }
}

/// Returns the notice of a payment that sends the notary's share to another account than the profile's. It names no account: letters stay in
/// mailboxes.
pub(crate) fn other_own_account(at: &Zoned, support_phone: &str) -> Notice {
    let what = "додано платіж, у якому Ваша частка йде на інший рахунок, ніж у картці нотаріуса";
    let at = at.strftime("%d.%m.%Y, %H:%M");
    Notice {
        short: format!(
            "У кабінеті нотаріуса додано платіж на інший власний рахунок ({at}). Не Ви? Телефонуйте {support_phone}"
        ),
        letter: LetterText {
            subject: "Інший власний рахунок у платежі в кабінеті нотаріуса".to_owned(),
            text: format!(
                "У Вашому кабінеті {what}.\n\n\
                 Час: {at} за київським часом\n\n\
                 Якщо це зробили не Ви, видаліть цей платіж із кошика і негайно зателефонуйте до служби підтримки: {support_phone}.\n"
            ),
        },
    }
}

/// Returns the notice of sessions that were ended from another one: all others, or one.
pub(crate) fn ended_sessions(all: bool, at: &Zoned, support_phone: &str) -> Notice {
    let what = if all {
        "завершено всі сеанси, крім того, з якого це зроблено"
    } else {
        "завершено один із сеансів"
    };
    let at = at.strftime("%d.%m.%Y, %H:%M");
    Notice {
        short: format!("У кабінеті нотаріуса {what} ({at}). Не Ви? Телефонуйте {support_phone}"),
        letter: LetterText {
            subject: "Завершення сеансів у кабінеті нотаріуса".to_owned(),
            text: format!(
                "У Вашому кабінеті {what}.\n\n\
                 Час: {at} за київським часом\n\n\
                 Якщо це зробили не Ви, негайно зателефонуйте до служби підтримки: {support_phone}.\n"
            ),
        },
    }
}

/// Returns the notice of what the operator has decided about an account. The operator's reason is not repeated: it may speak of
/// others.
pub(crate) fn changed_standing(standing: AccountStanding, support_phone: &str) -> Notice {
    let ask = if support_phone.is_empty() {
        "Маєте запитання? Зверніться до служби підтримки".to_owned()
    } else {
        format!("Маєте запитання? Телефонуйте {support_phone}")
    };
    let (subject, short) = match standing {
        AccountStanding::Confirmed => (
            "Обліковий запис у кабінеті нотаріуса підтверджено",
            "Ваш обліковий запис у кабінеті нотаріуса підтверджено: можна оформлювати замовлення"
                .to_owned(),
        ),
        AccountStanding::Waiting => (
            "Обліковий запис у кабінеті нотаріуса розблоковано",
            format!(
                "Ваш обліковий запис у кабінеті нотаріуса розблоковано, він очікує на підтвердження. {ask}"
            ),
        ),
        AccountStanding::Refused => (
            "Обліковий запис у кабінеті нотаріуса не підтверджено",
            format!(
                "Ваш обліковий запис у кабінеті нотаріуса не підтверджено, замовлення недоступні. {ask}"
            ),
        ),
        AccountStanding::Blocked => (
            "Обліковий запис у кабінеті нотаріуса заблоковано",
            format!("Ваш обліковий запис у кабінеті нотаріуса заблоковано. {ask}"),
        ),
    };
    let more = match standing {
        AccountStanding::Confirmed => "Платежі, які Ви підготували, чекають у кошику.",
        AccountStanding::Waiting => {
            "Увійти можна знову. Замовлення стануть доступні після підтвердження."
        }
        AccountStanding::Refused => {
            "Перевірте в картці нотаріуса ім’я, ідентифікатор у реєстрі та номер свідоцтва."
        }
        AccountStanding::Blocked => "Увійти неможливо. Оплачені замовлення буде виконано.",
    };
    let text = format!("{short}.\n\n{more}\n\n{ask}.\n");
    Notice {
        letter: LetterText {
            subject: subject.to_owned(),
            text,
        },
        short,
    }
}

/// Returns the notice of the name that a notary has asked for. It does not repeat the name: nobody has confirmed it where it is refused.
pub(crate) fn decided_name(is_confirmed: bool, support_phone: &str) -> Notice {
    let (subject, short) = if is_confirmed {
        (
            "Нове ім’я в кабінеті нотаріуса підтверджено",
            "Нове ім’я у Вашій картці нотаріуса підтверджено: воно стоятиме на квитанціях і в листах",
        )
    } else {
        (
            "Нове ім’я в кабінеті нотаріуса не підтверджено",
            "Нове ім’я у Вашій картці нотаріуса не підтверджено: на квитанціях і в листах лишається попереднє",
        )
    };
    let ask = if support_phone.is_empty() {
        "Маєте запитання? Зверніться до служби підтримки".to_owned()
    } else {
        format!("Маєте запитання? Телефонуйте {support_phone}")
    };
    let text = format!("{short}.\n\n{ask}.\n");
    Notice {
        letter: LetterText {
            subject: subject.to_owned(),
            text,
        },
        short: format!("{short}. {ask}"),
    }
}

/// Returns the notice of a notary's status that the register or the operator has changed.
pub(crate) fn changed_status(status: NotaryStatus, support_phone: &str) -> Notice {
    let (short, more) = match status {
        NotaryStatus::Private => (
            "Ваш статус у кабінеті нотаріуса: приватний нотаріус",
            "Адміністративний збір сплачується з розподілом: 60 % – на Ваш рахунок, 40 % – до бюджету.",
        ),
        NotaryStatus::State => (
            "Ваш статус у кабінеті нотаріуса: державний нотаріус",
            "Адміністративний збір сплачується до бюджету повністю.",
        ),
        NotaryStatus::Suspended => (
            "Ваш статус у кабінеті нотаріуса: діяльність зупинено",
            "Нові замовлення недоступні. Платежі можна готувати в кошику, а оплачені замовлення буде виконано.",
        ),
    };
    let ask = if support_phone.is_empty() {
        "Якщо статус указано неправильно, зверніться до служби підтримки".to_owned()
    } else {
        format!("Якщо статус указано неправильно, телефонуйте {support_phone}")
    };
    Notice {
        letter: LetterText {
            subject: "Зміна статусу в кабінеті нотаріуса".to_owned(),
            text: format!("{short}.\n\n{more}\n\n{ask}.\n"),
        },
        short: format!("{short}. {ask}"),
    }
}

/// A part of an order that a bank has sent back.
pub(crate) struct ReturnedTransfer {
    pub(crate) order: OrderId,
    pub(crate) order_number: i64,
    pub(crate) document_number: i64,
    pub(crate) amount: Money,
    pub(crate) returned_on: Date,
    /// Whether all of its order came back.
    pub(crate) is_all: bool,
    /// In the bank's words.
    pub(crate) reason: String,
}

/// Returns the notice of parts that a bank has sent back. It names neither clients nor accounts: letters stay in mailboxes.
pub(crate) fn returned_transfers(returned: &[ReturnedTransfer]) -> Notice {
    let lines: Vec<String> = returned
        .iter()
        .map(|part| {
            format!(
                "Замовлення № {}, переказ № {}: {}\u{a0}грн, банк отримувача повернув {}. Причина: {}",
                part.order_number,
                part.document_number,
                part.amount.display(Locale::Uk),
                part.returned_on.strftime("%d.%m.%Y"),
                without_codes(&part.reason)
            )
        })
        .collect();
    let mut orders: Vec<String> = returned
        .iter()
        .map(|part| part.order_number.to_string())
        .collect();
    orders.dedup();
    let orders = orders.join(", № ");
    let what = if returned.iter().all(|part| part.is_all) {
        "кошти"
    } else {
        "частину коштів"
    };
    Notice {
        short: format!(
            "Замовлення № {orders}: {what} отримувачу не зараховано, банк повернув їх сервісу. Не покладайтеся на квитанцію: подробиці в архіві кабінету нотаріуса"
        ),
        letter: LetterText {
            subject: format!("Отримувачу не зараховано {what}: замовлення № {orders}"),
            text: format!(
                "Банк отримувача або Казначейство повернули сервісу кошти, які Ви сплатили. На картку ці кошти не повернено:\n\n\
                 {}\n\n\
                 Отримувачам цих коштів не зараховано. Раніше роздруковані квитанції вже не підтверджують сплати цих коштів.\n\
                 В архіві кабінету можна виправити реквізити й надіслати кошти повторно або попросити повернути їх на картку.\n",
                lines.join("\n")
            ),
        },
    }
}

/// Returns the notice of parts about which the bank contradicts itself: the numbers of their orders and documents.
pub(crate) fn disputed_transfers(disputed: &[(i64, i64)]) -> Notice {
    let lines: Vec<String> = disputed
        .iter()
        .map(|(order, document)| format!("Замовлення № {order}, переказ № {document}"))
        .collect();
    let mut orders: Vec<String> = disputed
        .iter()
        .map(|(order, _)| order.to_string())
        .collect();
    orders.dedup();
    let orders = orders.join(", № ");
    Notice {
        short: format!(
            "Замовлення № {orders}: переказ перевіряється. Банк повідомив, що не виконав його, а потім списав або зарахував кошти. Не платіть удруге: подробиці в архіві кабінету нотаріуса"
        ),
        letter: LetterText {
            subject: format!("Переказ перевіряється: замовлення № {orders}"),
            text: format!(
                "Банк повідомив сервісу, що не виконав переказ, а кошти списав або зарахував отримувачу:\n\n\
                 {}\n\n\
                 Ми з’ясовуємо в банку, де ці кошти. До його відповіді переказ не можна надіслати повторно або повернути на картку. \
                 Не сплачуйте ці кошти вдруге.\n",
                lines.join("\n")
            ),
        },
    }
}

/// Returns the notice of an order that the support has cancelled.
pub(crate) fn cancelled_by_support(number: i64, items: CancelledItems) -> Notice {
    let what = match items {
        CancelledItems::ToCart => "Платежі повернено до кошика",
        CancelledItems::Drop => "Кошти не списано",
    };
    Notice {
        short: format!("Замовлення № {number} скасовано службою підтримки. {what}"),
        letter: LetterText {
            subject: format!("Замовлення № {number} скасовано"),
            text: format!(
                "Замовлення № {number} скасовано службою підтримки на Ваше звернення. {what}.\n\n\
                 Оплатити його вже не можна: сторінку оплати закрито.\n"
            ),
        },
    }
}

/// Returns the notice of money that the support has given back to the card; `document` is the number of its transfer.
pub(crate) fn given_back(number: i64, amount: Money, document: Option<i64>) -> Notice {
    let amount = amount.display(Locale::Uk);
    let (short, long) = match document {
        Some(document) => (
            format!(" (переказ № {document})"),
            format!(" – кошти за переказом № {document}"),
        ),
        None => (String::new(), String::new()),
    };
    Notice {
        short: format!(
            "Замовлення № {number}: {amount}\u{a0}грн{short} повернено на картку клієнта"
        ),
        letter: LetterText {
            subject: format!("Кошти повернено на картку: замовлення № {number}"),
            text: format!(
                "На картку, якою сплачено замовлення № {number}, повернено {amount}\u{a0}грн{long}.\n\n\
                 Банк, що видав картку, зараховує такі кошти упродовж кількох робочих днів.\n"
            ),
        },
    }
}

/// Returns the description of an order on the payment page.
pub(crate) fn payment_destination(locale: Locale, number: &str) -> String {
    match locale {
        Locale::Uk => format!("Оплата замовлення № {number} у кабінеті нотаріуса"),
        Locale::En => format!("Payment of order No. {number} in the notary dashboard"),
    }
}

/// Returns the one line of an order's basket at the acquirer.
pub(crate) fn basket_line(locale: Locale) -> &'static str {
    match locale {
        Locale::Uk => "Збори та платежі з комісією сервісу",
        Locale::En => "Fees and payments with the service’s commission",
    }
}

/// Returns the description of a card check on the acquirer's page.
pub(crate) fn card_check(locale: Locale) -> &'static str {
    match locale {
        Locale::Uk => "Збереження картки в кабінеті нотаріуса без списання коштів",
        Locale::En => "Saving a card in the notary dashboard. No money is taken",
    }
}

/// Returns the letter to the support about a complaint, in Ukrainian.
///
/// Letters pass through other servers and stay in mailboxes, so this one names neither the client nor the notary: the support
/// finds the client by the payment and the notary by the account id and the masked phone. A notary who wants to be called back
/// has her phone passed on. Her own text is passed on unchanged.
pub(crate) fn complaint_letter(
    (phone, call_back): (Option<&Phone>, bool),
    content: &ItemContent,
    complaint: &Complaint,
) -> LetterText {
    let kind = kind_name(content.kind, Locale::Uk);
    let sum = content.total().map_or_else(
        |_| "невідома".to_owned(),
        |total| format!("{}\u{a0}грн", total.display(Locale::Uk)),
    );
    LetterText {
        subject: format!("Повідомлення про помилку в платежі: {kind}"),
        text: format!(
            "Нотаріус повідомляє про помилку в платежі, доданому до кошика.\n\n\
             {text}\n\n\
             Платіж: {item}\n\
             Вид платежу: {kind}\n\
             Сума: {sum}\n\
             Нотаріус: {notary}, телефон {phone}\n\
             Надіслано: {at} за київським часом\n\
             Номер повідомлення: {number}\n\
             Ідентифікатор: {id}\n",
            text = complaint.text.as_str(),
            item = complaint.item_id,
            notary = complaint.notary_id,
            phone = match (phone, call_back) {
                (None, _) => "невідомий".to_owned(),
                (Some(phone), true) => format!("{} (просить зателефонувати)", phone.as_str()),
                (Some(phone), false) => phone.masked(),
            },
            at = kyiv_time(complaint.created_at).strftime("%d.%m.%Y, %H:%M"),
            number = complaint.number,
            id = complaint.id,
        ),
    }
}
