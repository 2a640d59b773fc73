//! The account that the notary's share of a payment goes to.

use cabinet_domain::{ItemContent, ItemId, NotaryId, kyiv_time};
use cabinet_storage::payment::payment_proofs;
use cabinet_storage::{StorageError, Tx, cart};

use super::own_codes::OwnCodes;
use crate::account::{Account, ActToProve};
use crate::kernel::ids::UnitContext;
use crate::kernel::notifier::Notifier;
use crate::kernel::refusal::Result;
use crate::kernel::texts;
use crate::payment::approval::{Approvals, Signer};

/// How an own account other than the profile's is proved, and how its notary is told of it.
#[derive(Clone)]
pub(crate) struct OwnAccounts {
    pub(crate) approvals: Approvals,
    pub(crate) notifier: Notifier,
}

impl OwnAccounts {
    /// An own account, or a code for it, other than the profile's needs a proof of this very account, and the notary is told of it: somebody
    /// else's session could send her share to a foreign account. What a payment in her cart has was proved and told before; and to whom she
    /// has proved that she pays, her cards pay without a word (decision 73). `without`: an item of the cart that does not count. `own`: what
    /// the profile says in this unit of work.
    ///
    /// # Errors
    /// `confirmation_required` with what is to be proved.
    pub(super) fn confirm(
        &self,
        tx: &mut Tx,
        signer: Signer,
        (content, without): (&ItemContent, Option<ItemId>),
        own: &OwnCodes,
        unit: &mut UnitContext,
    ) -> Result<()> {
        let notary = signer.notary;
        if !content.kind.has_notary_share()
            || (content.iban == own.iban && content.okpo == own.of_account())
            || is_paid(tx, notary, content)?
            || is_in_cart(tx, notary, content, without)?
        {
            return Ok(());
        }
        let act = ActToProve::OwnAccount(Account {
            iban: content.iban.clone(),
            okpo: content.okpo.clone(),
        });
        self.approvals.approve_act(tx, signer, act, unit.now)??;
        let notice = texts::other_own_account(&kyiv_time(unit.now), self.notifier.support_phone());
        Ok(self.notifier.tell_everywhere(tx, unit, notary, &notice)?)
    }
}

fn is_paid(tx: &mut Tx, notary: NotaryId, content: &ItemContent) -> Result<bool, StorageError> {
    match (&content.iban, &content.okpo) {
        (Some(iban), Some(okpo)) => payment_proofs::knows_recipient(tx, notary, iban, okpo),
        _ => Ok(false),
    }
}

fn is_in_cart(
    tx: &mut Tx,
    notary: NotaryId,
    content: &ItemContent,
    without: Option<ItemId>,
) -> Result<bool, StorageError> {
    let groups = cart::groups_of(tx, notary)?;
    let mut items = groups.iter().flat_map(|group| &group.items);
    Ok(items.any(|item| {
        let known = &item.content;
        Some(item.id) != without
            && known.kind.has_notary_share()
            && (&known.iban, &known.okpo) == (&content.iban, &content.okpo)
    }))
}
