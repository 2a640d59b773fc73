//! What can be wrong with a row of reference data, and what is merely doubtful.

use std::fmt;

use jiff::civil::Date;

/// A bad row. The whole set is refused then, so that a half-loaded table never sets a price.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BadRow {
    /// The file's name, without a folder.
    pub file: String,
    /// The line counted from 1, the header's being 1; 0 where the file as a whole is meant.
    pub line: usize,
    /// What is wrong.
    pub reason: Reason,
}

impl fmt::Display for BadRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.file, self.line, self.reason)
    }
}

/// A row that is loaded, although the operator should look at it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DoubtfulRow {
    /// The file's name, without a folder.
    pub file: String,
    /// The line counted from 1, the header's being 1.
    pub line: usize,
    /// What is doubtful.
    pub doubt: Doubt,
}

impl fmt::Display for DoubtfulRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.file, self.line, self.doubt)
    }
}

/// Why a row (or a whole file) is refused. The text is for the operator who loads the tables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Reason {
    /// The set lacks a file.
    #[error("the file is missing")]
    FileMissing,
    /// The set has no table of this name. Mostly a misspelt name.
    #[error("no table has this name")]
    FileUnknown,
    /// The file is larger than any real table.
    #[error("the file is larger than {bytes_max} bytes")]
    FileTooLong {
        /// The limit.
        bytes_max: usize,
    },
    /// The table has no rows.
    #[error("the table has no rows")]
    NoRows,
    /// The header lacks a column.
    #[error("column {column} is missing")]
    ColumnMissing {
        /// The column that should be there.
        column: &'static str,
    },
    /// The header has a column that the table does not know.
    #[error("column {column:?} is unknown")]
    ColumnUnknown {
        /// The column as the header spells it.
        column: String,
    },
    /// The header names a column a second time.
    #[error("column {column} stands twice")]
    ColumnTwice {
        /// The repeated column.
        column: &'static str,
    },
    /// The row has more or fewer cells than the header.
    #[error("the row has {found} cells, the header {expected}")]
    CellCount {
        /// Cells of the header.
        expected: usize,
        /// Cells of the row.
        found: usize,
    },
    /// A quoted cell is not closed on its line, or text follows the closing quote. A row is one line.
    #[error("a quotation mark is not closed, or text follows the closing one")]
    Quotes,
    /// A cell that must hold something is empty.
    #[error("{column} is empty")]
    Empty {
        /// The empty column.
        column: &'static str,
    },
    /// A text has line breaks, control characters or marks that turn the direction of writing.
    #[error("{column} has characters that may not stand in a text")]
    TextInvalid {
        /// The column.
        column: &'static str,
    },
    /// A text is too long.
    #[error("{column} is longer than {chars_max} characters")]
    TextTooLong {
        /// The column.
        column: &'static str,
        /// The limit in characters.
        chars_max: usize,
    },
    /// An identifier has the wrong shape.
    #[error("{column} is not an identifier (1 to 64 of a-z, 0-9, -, . and _)")]
    IdInvalid {
        /// The column.
        column: &'static str,
    },
    /// The same identifier, code or slug stands in an earlier row.
    #[error("{column} stands already in line {first_line}")]
    Duplicate {
        /// The column.
        column: &'static str,
        /// Where it stands first.
        first_line: usize,
    },
    /// A row refers to a row of another table that does not exist.
    #[error("{column}: there is no {id:?}")]
    UnknownParent {
        /// The referring column.
        column: &'static str,
        /// The identifier referred to.
        id: String,
    },
    /// A list names the same thing twice.
    #[error("{column} names {id:?} twice")]
    NamedTwice {
        /// The column with the list.
        column: &'static str,
        /// What is repeated.
        id: String,
    },
    /// The slug is none of the four kinds of payment.
    #[error("slug is none of the kinds of payment")]
    SlugUnknown,
    /// A kind of payment has no row.
    #[error("there is no row with the slug {slug}")]
    SlugMissing {
        /// The missing slug.
        slug: &'static str,
    },
    /// The ISO code is not `UA-` and two digits (ISO 3166-2).
    #[error("iso_code is not UA- and two digits")]
    IsoCodeInvalid,
    /// A date is not `YYYY-MM-DD` or no day of the calendar.
    #[error("{column} is not a date of the form 2026-01-31")]
    DateInvalid {
        /// The column.
        column: &'static str,
    },
    /// Something is said to have been done on a day to come.
    #[error("{column} lies ahead")]
    DateToCome {
        /// The column.
        column: &'static str,
    },
    /// The Treasury has one last day in a year.
    #[error("the year has its last day already in line {first_line}")]
    YearTwice {
        /// The line of the other day.
        first_line: usize,
    },
    /// A period ends before it begins.
    #[error("valid_to lies before valid_from")]
    PeriodReversed,
    /// Two periods of the same thing have days in common, so it would have two values on one day.
    #[error("the period overlaps that of line {other_line}")]
    PeriodsOverlap {
        /// The row with the other period.
        other_line: usize,
    },
    /// A sum is not a number of hryvnias with at most two decimals, or is out of range.
    #[error("{column} is not a sum such as 86.47 or 86,47")]
    MoneyInvalid {
        /// The column.
        column: &'static str,
    },
    /// A sum is zero: nothing would be paid.
    #[error("{column} is zero")]
    MoneyZero {
        /// The column.
        column: &'static str,
    },
    /// The rate is no percentage from 0 to 100 with at most two decimals.
    #[error("percent is not a rate such as 1.5")]
    PercentInvalid,
    /// A cell that says yes or no says something else.
    #[error("{column} is neither yes nor no")]
    YesNoInvalid {
        /// The column.
        column: &'static str,
    },
    /// A reading is none of those that the program knows.
    #[error("reading is neither surcharge nor whole")]
    ReadingUnknown,
    /// A multiple is not a number above zero with at most four decimals, or several of them divided by spaces.
    #[error("multiples is not a multiple such as 0.05, or several divided by spaces")]
    MultipleInvalid,
    /// A cell has a word that the program doesn't know there.
    #[error("{column} has a word that the program doesn't know")]
    WordUnknown {
        /// The column.
        column: &'static str,
    },
    /// A rule of a deal names several sums, or none without saying what is unconfirmed.
    #[error(
        "exactly one of percent, sum, term_id and option_id must be filled, or none and unconfirmed"
    )]
    AmountUnclear,
    /// A base or a limit stands beside something other than a percentage.
    #[error("base, minimum and maximum belong to a percent")]
    BaseOutOfPlace,
    /// The least sum of a rule is above its largest.
    #[error("maximum lies below minimum")]
    LimitsReversed,
    /// A rule takes a part of a sum that a kind of deal does not ask for.
    #[error("the kind {kind:?} does not ask for the sums of the base")]
    BaseNotAsked {
        /// The kind of deal.
        kind: String,
    },
    /// A rule that is no fee says for what it is owed once.
    #[error("for_each is for rules with a term_id or an option_id")]
    ForEachOutOfPlace,
    /// A rule names an answer to a question that a kind of deal does not ask.
    #[error("the kind {kind:?} does not ask for {answer:?}")]
    AnswerNotAsked {
        /// The kind of deal.
        kind: String,
        /// The answer.
        answer: String,
    },
    /// A question has no answers.
    #[error("the question has no answer")]
    FactWithoutAnswers,
    /// A kind of deal has no rules, so nothing would be calculated.
    #[error("the kind of deal has no rule")]
    KindWithoutRules,
    /// The answers to the questions that the rules of a payment name are too many to check.
    #[error("the rules of this line for the kind {kind:?} name more than {cases_max} cases")]
    TooManyCases {
        /// The kind of deal.
        kind: String,
        /// The limit.
        cases_max: usize,
    },
    /// Two rules say how much the same payment of the same deal is.
    #[error("{case}: the rule of line {other_line} says it, too")]
    RulesOverlap {
        /// The deal for which both speak.
        case: String,
        /// The other rule.
        other_line: usize,
    },
    /// No rule says how much a payment of a deal is.
    #[error("{case}: no rule of this line")]
    RuleMissing {
        /// The deal for which none speaks.
        case: String,
    },
    /// A tax is none of those that the program knows.
    #[error("tax is neither income_tax nor military_levy")]
    TaxUnknown,
    /// A disputed fee stands in one reading only, so the other would have no price.
    #[error("the same term and period with the reading {reading} is missing")]
    ReadingMissing {
        /// The missing reading.
        reading: &'static str,
    },
    /// The account is no Ukrainian IBAN, or its check digits are wrong.
    #[error("iban is not UA and 27 digits with right check digits")]
    IbanInvalid,
    /// The recipient's code is not 8 digits (EDRPOU) or 10 digits (tax id).
    #[error("edrpou is not 8 or 10 digits")]
    CodeInvalid,
    /// An account of the Treasury stands with a code that is not an EDRPOU. Persons have no accounts there.
    #[error("a Treasury account takes only an edrpou of 8 digits")]
    TreasuryCodeInvalid,
    /// Account and recipient's code come only together: the Treasury returns payments where the two do not belong together.
    #[error("iban and edrpou come only as a pair, {column} is empty")]
    PairIncomplete {
        /// The empty one of the two.
        column: &'static str,
    },
    /// The same account stands elsewhere with another recipient's code.
    #[error("the account has another edrpou in {file}:{line}")]
    AccountOfAnother {
        /// The file with the other row.
        file: &'static str,
        /// The line of the other row.
        line: usize,
    },
    /// The budget code is not exactly 8 digits.
    #[error("{column} is not a budget code of 8 digits")]
    BudgetCodeInvalid {
        /// The column.
        column: &'static str,
    },
    /// A payment to a Treasury account needs a budget code.
    #[error("a Treasury account needs a budget code")]
    BudgetCodeRequired,
    /// A budget code stands with an account that is not kept at the Treasury: money to the budget would go to somebody else.
    #[error(
        "a budget code takes only an account at the Treasury, and the bank {bank} is not marked as one in banks.csv"
    )]
    BudgetAccountElsewhere {
        /// The code of the account's bank.
        bank: String,
    },
    /// The payment code is not exactly 3 digits.
    #[error("code is not a payment code of 3 digits")]
    PaymentCodeInvalid,
    /// The comment begins with a payment code that the list in force lacks.
    #[error("comment begins with a payment code that payment-codes.csv lacks")]
    PaymentCodeUnknown,
    /// The words of an option and the longest of its terms leave no room for the payer's code, and no short name helps.
    #[error(
        "a purpose would be longer than {chars_max} characters: shorten purpose_uk or give short_uk"
    )]
    PurposeTooLong {
        /// The longest purpose, in characters.
        chars_max: usize,
    },
    /// The bank code is not exactly 6 digits.
    #[error("code is not a bank code of 6 digits")]
    BankCodeInvalid,
    /// The commission table has no row without a date, so some day would have no tariff.
    #[error("no row has an empty valid_from, so the days before the first date have no tariff")]
    TariffStartMissing,
    /// A comment has a placeholder other than `{clientName}` and `{clientIPN}`, or a lone brace.
    #[error("comment has a placeholder other than {{clientName}} and {{clientIPN}}")]
    PlaceholderUnknown,
    /// A comment filled with a usual name is longer than a purpose may be.
    #[error("comment filled with a usual name is longer than {chars_max} characters")]
    CommentTooLong {
        /// The longest purpose, in characters.
        chars_max: usize,
    },
    /// A comment for a Treasury account lacks the form in force since 01.12.2023 (MinFin order 148 of 22.03.2023).
    #[error(
        "comment for a Treasury account must be three digits, one space and text, such as \"101 Судовий збір\""
    )]
    PurposeFormInvalid,
    /// A recipient is given to a region that is marked as having none.
    #[error("the region is marked as having no recipients")]
    RegionWithoutRecipients,
    /// A payment type that needs options has none.
    #[error("the payment type has no option")]
    TypeWithoutOptions,
    /// An option or a recipient is given to the payment type whose requisites the notary types herself.
    #[error("{column} names a payment type that has neither options nor recipients")]
    TypeTakesNone {
        /// The column with the payment types.
        column: &'static str,
    },
    /// An option of an administrative fee has no term, and the fee stands at the term.
    #[error("the option has no term")]
    OptionWithoutTerms,
    /// A term belongs to an option whose payment types know no terms.
    #[error("the option's payment types have no terms")]
    TermOutOfPlace,
    /// A tariff belongs to an option whose payment types take the fee of a term.
    #[error("the option's payment types have no tariffs")]
    TariffOutOfPlace,
}

/// Why a loaded row is doubtful.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Doubt {
    /// Between this period and the one before it lie days without a value.
    #[error("no value from {first} to {last}")]
    Gap {
        /// The first day without a value.
        first: Date,
        /// The last day without a value.
        last: Date,
    },
    /// A term without a fee, or a registry option without a tariff, is never offered.
    #[error("no sum is given, so this is never offered")]
    NeverOffered,
    /// The row itself says what about it is not confirmed by a source.
    #[error("unconfirmed: {what}")]
    Unconfirmed {
        /// What, in words.
        what: String,
    },
    /// A region that should have recipients has none for a payment type and budget code in use.
    #[error("no recipient for {payment_type}{}", with_code(budget_code.as_deref()))]
    RecipientMissing {
        /// The payment type.
        payment_type: String,
        /// The budget code, where the payment type has codes.
        budget_code: Option<String>,
    },
    /// The check digit of a recipient's code is wrong. Some codes in force have a wrong one.
    #[error("the check digit of edrpou is wrong")]
    CodeCheckDigit,
    /// The recipient's name does not end in the budget code it is paid under.
    #[error("the recipient's name carries another budget code")]
    NameWithAnotherCode,
    /// A purpose made from the template would lack the client's code, which every such purpose must contain.
    #[error("comment lacks {{clientIPN}}")]
    CommentWithoutCode,
}

/// The end of a message that may name a budget code.
fn with_code(budget_code: Option<&str>) -> String {
    budget_code.map_or_else(String::new, |code| format!(" with the budget code {code}"))
}
