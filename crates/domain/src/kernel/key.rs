//! Every message key that the server may answer with.
//!
//! The list is closed: both languages of the interface cover exactly these. Keys come from the specification (points 5
//! and 8, and its readings). The rest name refusals of which it does not speak.

use std::fmt;

use crate::kernel::words::words;

words! {
    /// A message key: what went wrong, in a form that the interface translates.
    Key {
        // Login and sign-up.
        /// No telephone number.
        PhoneRequired = "phone_required",
        /// Not a Ukrainian telephone number.
        PhoneIncorrect = "phone_incorrect",
        /// A number that can't receive messages.
        PhoneNotMobile = "phone_not_mobile",
        /// The number is registered already.
        PhoneInUse = "phone_in_use",
        /// Nobody is registered with the number.
        PhoneNotExist = "phone_not_exist",
        /// The login's user is not there (any more).
        UserNotFound = "user_not_found",
        /// The user must agree to the new terms first.
        UserNotAgreedWithNewTerms = "user_not_agreed_with_new_terms",
        /// The agreement at login is not ticked.
        AgreedRequired = "agreed_required",
        /// The agreement at sign-up is not ticked.
        IsAgreeChecked = "is_agree_checked",
        /// No code.
        OtpCodeRequired = "otp_code_required",
        /// The code does not have the form of one.
        OtpIncorrect = "otp_incorrect",
        /// Not the code that was sent.
        WrongOtp = "wrong_otp",
        /// The code is too old.
        OtpExpired = "otp_expired",
        /// Too many wrong codes; a new one is needed.
        OtpTriesExhausted = "otp_tries_exhausted",
        /// The code could not be sent.
        OtpNotSent = "otp_not_sent",
        /// The last code or call can still be answered, and too little time has passed for another.
        OtpTooSoon = "otp_too_soon",
        /// Too many logins and sign-ups were begun with this number.
        TooManyCodes = "too_many_codes",
        /// Too many logins and sign-ups were begun from this network address, whoever's.
        TooManyCodesFromAddress = "too_many_codes_from_address",
        /// Too many requests.
        TooManyRequests = "too_many_requests",
        /// So many changes or messages within a day.
        TooManyToday = "too_many_today",
        /// The proxy in front of the cabinet does not tell the client's network address.
        ClientAddressUnreadable = "client_address_unreadable",
        /// The login goes on by another step than the one used.
        LoginStepWrong = "login_step_wrong",
        /// There is no such login or sign-up to finish.
        OperationUnknown = "operation_unknown",
        /// The telephone call was not confirmed by pressing 1.
        CallNotConfirmed = "call_not_confirmed",
        /// The telephone call has opened its session already.
        CallAlreadyUsed = "call_already_used",
        /// The verification call could not be made.
        CallNotPlaced = "call_not_placed",
        /// The change needs a fresh code: `POST /auth/confirmation` sends one.
        ConfirmationRequired = "confirmation_required",
        /// The device has signed the notary in for too short a time: a code by SMS proves no payment to a new recipient on it.
        DeviceTooNew = "device_too_new",
        /// The same for a returned part that would go to another account.
        DeviceTooNewForPart = "device_too_new_for_part",
        /// The e-mail address was replaced too short a time ago: saved cards pay known recipients alone.
        ContactsTooNew = "contacts_too_new",
        /// The device is new to the notary, so a code proves nothing of her account on it.
        DeviceTooNewForAct = "device_too_new_for_act",
        /// The identifier is a login code of this account. Only the operator changes it.
        RegistryIdentifierFixed = "registry_identifier_fixed",
        /// The passkey is none of a notary's, or its answer is not right.
        PasskeyRefused = "passkey_refused",
        /// The passkey was added a short while ago, so it proves no payment yet.
        PasskeyTooNew = "passkey_too_new",
        /// The answer of the authenticator that shall be added is not right, or too old.
        PasskeyNotAdded = "passkey_not_added",
        /// The authenticator has a passkey of this account already.
        PasskeyExists = "passkey_exists",
        /// The account has as many passkeys as it may have.
        TooManyPasskeys = "too_many_passkeys",
        /// The passkey was removed, or belongs to somebody else.
        PasskeyUnknown = "passkey_unknown",
        /// The session has ended already, or belongs to somebody else.
        SessionUnknown = "session_unknown",
        /// The session has ended.
        SessionExpired = "session_expired",
        /// Nobody has confirmed yet that the account belongs to a notary, so it may not order.
        NotaryNotConfirmed = "notary_not_confirmed",
        /// The account waits for no code: it is confirmed, or the operator confirms it.
        RegisterContactUnknown = "register_contact_unknown",
        /// The operator has closed the account.
        AccountBlocked = "account_blocked",
        /// The notary's activity is stopped: payments can be prepared, but not ordered.
        NotarySuspended = "notary_suspended",
        /// Not signed in.
        Unauthorized = "unauthorized",
        /// Not allowed.
        Forbidden = "forbidden",

        // Profile.
        /// No full name.
        FullNameRequired = "full_name_required",
        /// No registry identifier.
        RegistryIdentifierRequired = "registry_identifier_required",
        /// The registry identifier has characters it cannot have, or is too long.
        RegistryIdentifierInvalid = "registry_identifier_invalid",
        /// The certificate number is not digits.
        CertificateNumberInvalid = "certificate_number_invalid",
        /// Not a card number.
        CardPanInvalid = "card_pan_invalid",
        /// Not an e-mail address.
        EmailInvalid = "email_invalid",
        /// Not a date.
        DateInvalid = "date_invalid",

        // Client.
        /// No code of the client.
        ClientInnRequired = "client_inn_required",
        /// The client's code has none of the four forms.
        ClientInnFormatInvalid = "client_inn_format_invalid",
        /// The client's code is ten equal digits.
        ClientInnSameDigits = "client_inn_same_digits",
        /// No name of the client.
        ClientFullNameRequired = "client_full_name_required",

        // The payment form.
        /// No payment type.
        PaymentTypeRequired = "payment_type_required",
        /// There is no such payment type.
        PaymentTypeUnknown = "payment_type_unknown",
        /// No option.
        PaymentTypeOptionRequired = "payment_type_option_required",
        /// The option belongs to another payment type, or there is none such.
        OptionNotForType = "option_not_for_type",
        /// No term.
        PaymentTypeOptionTermRequired = "payment_type_option_term_required",
        /// The term belongs to another option, or there is none such.
        TermNotForOption = "term_not_for_option",
        /// No region.
        PaymentTypeRegionRequired = "payment_type_region_required",
        /// There is no such region.
        RegionUnknown = "region_unknown",
        /// No recipient.
        PaymentTypeRequisiteRequired = "payment_type_requisite_required",
        /// The recipient belongs to another region or payment type, or there is none such.
        RequisiteNotForRegion = "requisite_not_for_region",
        /// The recipient has another budget code than the term.
        RequisiteNotForTerm = "requisite_not_for_term",
        /// The recipient's account is no longer valid.
        RequisiteExpired = "requisite_expired",
        /// No fee is in force today for what was chosen.
        FeeNotInForce = "fee_not_in_force",
        /// The fee in force is that of an earlier year, and this year's is not loaded yet.
        FeeOfLastYear = "fee_of_last_year",
        /// The year of filing is neither this one nor, from 20 December, the next, or the fees of that year are not loaded.
        FilingYearInvalid = "filing_year_invalid",
        /// The kind of payment is not for a notary of this status.
        PaymentTypeNotForStatus = "payment_type_not_for_status",
        /// There is no such template.
        TemplateUnknown = "template_unknown",
        /// No account of the notary's own.
        YourIbanRequired = "your_iban_required",
        /// No code of the notary's own.
        YourOkpoRequired = "your_okpo_required",
        /// A person's code with an account for own needs (balance code 2620).
        IbanBalanceCodeByOkpoRule = "iban_balance_code_by_okpo_rule",
        /// An account at the Treasury as the notary's own.
        YourIbanIsTreasury = "your_iban_is_treasury",
        /// The code of the own account is not that of the notary, who is a person.
        YourOkpoNotYours = "your_okpo_not_yours",
        /// No recipient's account.
        IbanRequired = "iban_required",
        /// Not a Ukrainian account number, or a wrong checksum.
        IbanInvalid = "iban_invalid",
        /// A fee cannot go to an account that the reference data do not have.
        AccountNotInReference = "account_not_in_reference",
        /// No recipient's code.
        OkpoRequired = "okpo_required",
        /// Neither 8 nor 10 digits.
        OkpoInvalid = "okpo_invalid",
        /// The account belongs to a recipient with another code.
        OkpoNotForAccount = "okpo_not_for_account",
        /// A Treasury account with a code that is not an EDRPOU, or whose check digit is wrong.
        OkpoNotForTreasury = "okpo_not_for_treasury",
        /// No recipient's name.
        RecipientNameRequired = "recipient_name_required",
        /// No purpose.
        PurposeRequired = "purpose_required",
        /// The purpose that was typed is longer than 160 characters.
        PurposeMaxHeight = "purpose_max_height",
        /// The purpose has no form that a budget account takes.
        PurposeInvalid = "purpose_invalid",
        /// The purpose begins with a payment code that is not in force.
        PurposeCodeUnknown = "purpose_code_unknown",
        /// The purpose names neither the client's code nor the notary's.
        PurposeMustContainsIpn = "purpose_must_contains_ipn",
        /// The budget code is not 8 digits.
        CbcLength = "cbc_length",
        /// The account takes payments under another budget code.
        CbcNotForAccount = "cbc_not_for_account",
        /// No amount.
        AmountRequired = "amount_required",
        /// Not an amount that can be paid.
        AmountInvalid = "amount_invalid",
        /// The sum on the screen is not the sum of today.
        PriceChanged = "price_changed",

        // Cart.
        /// The item is not in the cart.
        CartItemNotFound = "cart_item_not_found",
        /// The item was ordered or deleted while it was being changed.
        CartItemGone = "cart_item_gone",
        /// The item was changed elsewhere while it was being changed.
        CartItemChanged = "cart_item_changed",
        /// The notary's address book has no such client.
        ClientNotFound = "client_not_found",
        /// The notary has no such saved recipient.
        RecipientNotFound = "recipient_not_found",
        /// The notary has saved as many recipients as may be.
        RecipientsFull = "recipients_full",
        /// The client has nothing in the cart.
        CartGroupEmpty = "cart_group_empty",
        /// The client's items are in an order already.
        CartAlreadyOrdered = "cart_already_ordered",
        /// The same payment is in the cart, or in an order of the last 24 hours.
        PaymentDuplicate = "payment_duplicate",
        /// The cart holds as many items as it may.
        CartFull = "cart_full",
        /// Not a number of units from 1 to 999.
        CountInvalid = "count_invalid",
        /// The file is neither a workbook (XLSX) nor a table as text, or it is damaged.
        SheetUnreadable = "sheet_unreadable",
        /// No row of the sheet has the headings of its columns.
        SheetHeadingsMissing = "sheet_headings_missing",
        /// The sheet has no payments.
        SheetEmpty = "sheet_empty",
        /// The sheet has more payments than a cart holds, or is larger than is read.
        SheetTooLarge = "sheet_too_large",
        /// The same row was added to the cart before.
        SheetRowAdded = "sheet_row_added",
        /// The sheet has the same payment twice.
        SheetRowRepeated = "sheet_row_repeated",
        /// The file is no statement of a bank that can be read.
        StatementUnreadable = "statement_unreadable",
        /// The statement is larger than is read.
        StatementTooLarge = "statement_too_large",
        /// The statement is of an account that is none of the notary's.
        StatementOtherAccount = "statement_other_account",
        /// No text of the complaint.
        ComplaintTextRequired = "complaint_text_required",

        // Orders.
        /// The same idempotency key came with another content.
        IdempotencyKeyReused = "idempotency_key_reused",
        /// No idempotency key, or not one.
        IdempotencyKeyInvalid = "idempotency_key_invalid",
        /// A full card number, which is accepted nowhere.
        CardNumberNotAccepted = "card_number_not_accepted",
        /// The saved card is not there (any more).
        CardNotFound = "card_not_found",
        /// A new account may not order more within a day.
        DailySumExceeded = "daily_sum_exceeded",
        /// The bank has declined too many payments within an hour.
        TooManyDeclines = "too_many_declines",
        /// There is no such order.
        OrderNotFound = "order_not_found",
        /// The bank's answer to a charge was lost, and its statement shows none.
        PaymentNoTrace = "payment_no_trace",
        /// The order cannot be paid in its status.
        OrderNotPayable = "order_not_payable",
        /// A fee or an account has changed since the order was made; its items are back in the cart.
        OrderReturnedToCart = "order_returned_to_cart",
        /// The notary has cancelled the order.
        OrderCancelled = "order_cancelled",
        /// The order is being cancelled, so nobody gets its page; its items may be back in the cart soon.
        OrderBeingCancelled = "order_being_cancelled",
        /// The order was paid, so it cannot be cancelled.
        OrderNotCancellable = "order_not_cancellable",
        /// Some payments of the order can't be made today; the answer names them.
        OrderNotRepeatable = "order_not_repeatable",
        /// The acquirer did not confirm that the order's payment page is closed, so the order stays as it is.
        PaymentPageNotClosed = "payment_page_not_closed",
        /// A person looks into the order's money; it cannot be paid until then.
        OrderUnderReview = "order_under_review",
        /// The order is not paid.
        OrderNotPaid = "order_not_paid",
        /// The order was paid, and its money was given back.
        OrderRefunded = "order_refunded",
        /// There is no such receipt (yet).
        ReceiptNotAvailable = "receipt_not_available",
        /// Neither `payment` nor `commission`.
        ReceiptTypeInvalid = "receipt_type_invalid",
        /// Not an order status.
        StatusInvalid = "status_invalid",
        /// The end of the period is before its beginning.
        PeriodInvalid = "period_invalid",
        /// The period is longer than three years.
        PeriodTooLong = "period_too_long",
        /// More payments than one table takes.
        ExportTooLarge = "export_too_large",
        /// Receipts of more orders than are downloaded at once.
        TooManyOrders = "too_many_orders",
        /// The part of the order has not come back from a bank.
        PartNotReturned = "part_not_returned",
        /// The returned part is sent again or given back to the card already.
        PartDecided = "part_decided",
        /// The acquirer gave more back to the card than was asked for: what was returned is not sent again.
        PartGivenBack = "part_given_back",
        /// There is no application for the return of this part: its recipient does not have it, or is no authority.
        PartNotReclaimable = "part_not_reclaimable",
        /// The acquirer does not answer.
        AcquirerUnavailable = "acquirer_unavailable",
        /// The acquirer refused.
        AcquirerRefused = "acquirer_refused",
        /// Whether the payment went through is not known yet; it must not be repeated.
        PaymentOutcomeUnknown = "payment_outcome_unknown",
        /// The bank declined the card.
        PaymentDeclined = "payment_declined",
        /// The card has too little money.
        PaymentInsufficientFunds = "payment_insufficient_funds",
        /// The card has expired or is blocked.
        PaymentCardUnusable = "payment_card_unusable",
        /// A limit of the card was reached.
        PaymentLimitExceeded = "payment_limit_exceeded",
        /// The payer did not confirm the payment with the bank.
        PaymentNotConfirmed = "payment_not_confirmed",
        /// The time to pay ran out.
        PaymentExpired = "payment_expired",
        /// QR codes for paying the recipients were given out, so a card might pay a second time.
        PaymentCodesGiven = "payment_codes_given",
        /// No QR codes of the order were given out, so nobody can have paid by them.
        PaymentCodesNotGiven = "payment_codes_not_given",
        /// The link for the client was replaced, withdrawn, or has ended.
        ClientLinkGone = "client_link_gone",
        /// The link was sent to the client, or links to all clients, as often as they may be.
        ClientLinkSentTooOften = "client_link_sent_too_often",
        /// The receipt was sent to the client, or receipts and links to all clients, as often as they may be.
        ReceiptMailSentTooOften = "receipt_mail_sent_too_often",
        /// The receiver has refused letters about the order.
        ReceiptMailRefused = "receipt_mail_refused",
        /// No mail server is set up.
        MailNotSetUp = "mail_not_set_up",
        /// The order has lost its names.
        OrderAnonymised = "order_anonymised",

        // Requests.
        /// The body is not readable JSON.
        BodyUnreadable = "body_unreadable",
        /// The body is too large.
        BodyTooLarge = "body_too_large",
        /// A field has another type than it should.
        FieldTypeWrong = "field_type_wrong",
        /// A field is missing.
        FieldRequired = "field_required",
        /// The shares of several payers are not the whole.
        SharesInvalid = "shares_invalid",
        /// A number in the register of notarial acts that is too long or has a character that such numbers have not.
        RegisterNumberInvalid = "register_number_invalid",
        /// A name without a Cyrillic or Latin letter, or with letters or signs that no name here has.
        NameInvalid = "name_invalid",
        /// The text has characters that no text here may have.
        TextInvalid = "text_invalid",
        /// The text is too long.
        TextTooLong = "text_too_long",
        /// Not an id.
        IdInvalid = "id_invalid",
        /// Neither `uk` nor `en`.
        LocaleInvalid = "locale_invalid",
        /// A number outside its limits.
        NumberInvalid = "number_invalid",
        /// Some fields were refused; the answer names them.
        ValidationFailed = "validation_failed",
        /// There is no such thing, or it is somebody else's.
        NotFound = "not_found",
        /// The call exists, but not with this method.
        MethodNotAllowed = "method_not_allowed",
        /// The state has changed meanwhile.
        Conflict = "conflict",
        /// A fault of the server.
        InternalError = "internal_error",
        /// The server cannot answer for the moment.
        ServiceUnavailable = "service_unavailable",
    }
}

impl Key {
    /// The same refusal about the notary's own account or code instead of a recipient's.
    ///
    /// The forms differ in the message for an empty field alone (specification, point 5).
    #[must_use]
    pub const fn about_own_account(self) -> Self {
        match self {
            Self::IbanRequired => Self::YourIbanRequired,
            Self::OkpoRequired => Self::YourOkpoRequired,
            other => other,
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::error::Error for Key {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn keys_are_distinct_snake_case_words() {
        let texts: BTreeSet<_> = Key::ALL.iter().map(|key| key.as_str()).collect();
        assert_eq!(texts.len(), Key::ALL.len());
        for text in texts {
            assert!(
                text.bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
                "{text}"
            );
            assert!(
                !text.starts_with('_') && !text.ends_with('_') && !text.contains("__"),
                "{text}"
            );
        }
    }

    #[test]
    fn every_key_reads_back() {
        for key in Key::ALL {
            assert_eq!(Key::parse(key.as_str()), Some(key));
        }
        assert_eq!(Key::parse("no_such_key"), None);
    }

    #[test]
    fn an_empty_own_account_has_its_own_message() {
        assert_eq!(Key::IbanRequired.about_own_account(), Key::YourIbanRequired);
        assert_eq!(Key::OkpoRequired.about_own_account(), Key::YourOkpoRequired);
        assert_eq!(Key::IbanInvalid.about_own_account(), Key::IbanInvalid);
    }
}
