//! The code that confirms a new account: it goes to the contact that the register of notaries has of the owner, never to one that the
//! newcomer has typed (decision 75).

use cabinet_domain::{
    AccountStanding, CodeBudget, Key, Locale, LoginPurpose, LoginStep, Notary, SignUpConfirmation,
};
use cabinet_storage::account::register::NamingRow;
use cabinet_storage::account::{notaries, register, register_proofs};
use cabinet_storage::{StorageError, Tx};

use super::Accounts;
use super::confirmation::ConfirmationStart;
use super::limits::refuse_register_codes;
use super::one_time_codes::Issued;
use super::visitor::Visitor;
use crate::kernel::refusal::{Refusal, Result};
use crate::kernel::texts;
use crate::payment::approval::Signer;
use crate::worker::outbox::{Contact, tell};

impl Accounts {
    /// Returns where the code goes that confirms an account, masked. `None`: the account does not wait, or the operator confirms it.
    pub async fn register_contact(&self, notary: &Notary) -> Result<Option<String>> {
        if notary.standing.account != AccountStanding::Waiting {
            return Ok(None);
        }
        let (this, notary) = (self.clone(), notary.clone());
        let read = move |tx: &mut Tx| this.row_with_contact(tx, &notary);
        let found = self.store.read(read).await?;
        Ok(found.map(|(_, contact)| contact.masked()))
    }

    /// `POST /auth/confirmation` for a new account: sends a code to the contact of the register. Whoever enters it in this session is the
    /// notary whom the register names.
    ///
    /// # Errors
    /// `register_contact_unknown`, `otp_too_soon`, `too_many_codes`, `otp_not_sent`.
    pub async fn start_account_confirmation(
        &self,
        signer: Signer,
        visitor: &Visitor,
        locale: Locale,
    ) -> Result<ConfirmationStart> {
        let account = self.profile(signer.notary).await?;
        let visitor = visitor.traces(&self.codes.keys);
        let (start, code, contact) = loop {
            let purpose = LoginPurpose::Confirmation;
            // It counts with the codes of whoever asks: the notary whose contact it is keeps all of hers.
            let mut request = self.codes.request(purpose, &account.phone, &visitor);
            request.session = Some(signer.session);
            request.by_code_alone = true;
            let now = request.moment();
            let (this, ids) = (self.clone(), self.ids.unit_at(now));
            let write = move |tx: &mut Tx| -> Result<(Issued, Contact)> {
                register::lock(tx)?;
                let notary = notaries::lock(tx, signer.notary)?
                    .map(|(_, notary)| notary)
                    .filter(|notary| notary.standing.account == AccountStanding::Waiting);
                let found = match notary {
                    Some(notary) => this.row_with_contact(tx, &notary)?,
                    None => None,
                };
                let (row, contact) =
                    found.ok_or_else(|| Refusal::conflict(Key::RegisterContactUnknown))?;
                let codes = &this.codes;
                refuse_register_codes(tx, &row.key, &codes.settings, now)?;
                let terms = codes.terms(tx, &request, CodeBudget::Confirmation, LoginStep::Otp)?;
                let terms = terms.long(&codes.settings);
                let issued = codes.issue(tx, &request, signer.notary, terms)?;
                if let Issued::Code(start, code) = &issued {
                    register_proofs::ask(tx, start.operation, &row.key)?;
                    if let Contact::Email(_) = &contact {
                        let notice = texts::account_code(locale, code, &request.phone);
                        tell(tx, &mut ids.clone(), contact.clone(), notice)?;
                    }
                }
                Ok((issued, contact))
            };
            if let (Issued::Code(start, code), contact) = self.store.write(write).await? {
                break (start, code, contact);
            }
        };
        if let Contact::Phone(phone) = &contact {
            let text = texts::account_code(locale, &code, &account.phone).short;
            self.codes.send(start.operation, phone, &text).await?;
        }
        Ok(ConfirmationStart {
            start,
            sent_to: contact.masked(),
            proof: None,
            passkey: None,
            confirms_account: true,
        })
    }

    /// Returns the row of the register that names the owner of an account, and the contact of hers that can be reached.
    fn row_with_contact(
        &self,
        tx: &mut Tx,
        notary: &Notary,
    ) -> Result<Option<(NamingRow, Contact)>, StorageError> {
        if self.sign_up_confirmation != SignUpConfirmation::Register {
            return Ok(None);
        }
        let Some(row) = register::naming_row(tx, notary)? else {
            return Ok(None);
        };
        let phone = row.phone.clone();
        let phone = phone.filter(|phone| self.codes.check_mobile(phone).is_ok());
        let email = row.email.clone().filter(|_| self.notifier.writes_letters());
        let contact = phone.map(Contact::Phone);
        let contact = contact.or_else(|| email.map(Contact::Email));
        Ok(contact.map(|contact| (row, contact)))
    }
}
