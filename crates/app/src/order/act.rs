//! `POST /order/{id}/act`: the notarial act of an order, which is often registered after the order was paid.

use cabinet_domain::{AuditAction, Key, NotaryId, Origin};
use cabinet_storage::operator::erasure;
use cabinet_storage::order::orders;
use cabinet_storage::{Change, Tx};

use super::{OrderView, Orders};
use crate::audit::AuditEntry;
use crate::kernel::refusal::{FieldErrors, Refusal, Result};
use crate::order::notarial_act::NotarialActRequest;
use crate::order::own_order::{not_found, own_order};

impl Orders {
    /// Replaces what is known of the notarial act of an order, whatever its status.
    ///
    /// # Errors
    /// The keys of the fields; `order_not_found`; `order_anonymised` once its names were erased.
    pub async fn set_act(
        &self,
        notary: NotaryId,
        order: &str,
        request: NotarialActRequest,
        errors: FieldErrors,
        origin: Origin,
    ) -> Result<OrderView> {
        let before = own_order(&self.store, notary, order).await?;
        let id = before.id;
        let act = request.read(&self.register_number, before.act.register_number, errors)?;
        let unit = self.ids.unit_at(self.clock.now());
        let write = move |tx: &mut Tx| -> Result<()> {
            let tx = &mut tx.without_notary();
            let (locked, known) = orders::lock(tx, id)?.ok_or_else(not_found)?;
            if erasure::is_anonymised(tx, id)? {
                return Err(Refusal::conflict(Key::OrderAnonymised).into());
            }
            if known.act == act {
                return Ok(());
            }
            orders::set_act(tx, &locked, &known, &act)?;
            tx.announce(Change::Order(notary, id));
            AuditEntry::new(AuditAction::OrderActChanged)
                .of_notary(notary)
                .on_order(id)
                .record(tx, &mut unit.clone(), &origin)?;
            Ok(())
        };
        self.store.write(write).await?;
        self.view(notary, order, false).await
    }
}
