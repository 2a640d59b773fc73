//! `POST /cart/act`: the notarial act of a client's group.

use cabinet_domain::{ClientId, Key, NotarialAct, NotaryId};
use cabinet_storage::{cart, lock_notary};

use super::Cart;
use crate::kernel::refusal::{FieldErrors, Refusal, Result};
use crate::order::notarial_act::NotarialActRequest;

impl Cart {
    /// Replaces what is known of the notarial act of a client's group. Returns it as it is stored.
    ///
    /// # Errors
    /// The keys of the fields; `cart_group_empty`.
    pub async fn set_act(
        &self,
        notary: NotaryId,
        client: Option<String>,
        request: NotarialActRequest,
        errors: FieldErrors,
    ) -> Result<NotarialAct> {
        let client = client.as_deref().and_then(ClientId::parse);
        let before = match client {
            Some(client) => {
                let read = self.store.read(move |tx| cart::act_of(tx, notary, client));
                read.await?
            }
            None => NotarialAct::default(),
        };
        let act = request.read(&self.register_number, before.register_number, errors)?;
        let empty = || Refusal::not_found(Key::CartGroupEmpty).on("client_id");
        let client = client.ok_or_else(empty)?;
        let stored = act.clone();
        let is_set = self
            .store
            .write(move |tx| {
                let notary = lock_notary(tx, notary)?;
                cart::set_act(tx, &notary, client, &stored)
            })
            .await?;
        if !is_set {
            return Err(empty().into());
        }
        Ok(act)
    }
}
