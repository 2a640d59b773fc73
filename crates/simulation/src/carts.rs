//! What notaries were told of the items in their carts, and what an item may be by that.

use std::collections::{BTreeMap, BTreeSet};

use cabinet_domain::{ItemContent, ItemId, Money, PaymentKind};

/// What a press writes of an item. Each kind is independent of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Write {
    /// How many units.
    Count(i64),
    /// The purpose, and the amount of one unit, of a payment to any requisites.
    Words(String, Money),
    /// Whether it is there.
    Presence(bool),
}

impl Write {
    fn is_of_kind(&self, other: &Write) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// How far a press has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It was never answered: it may have been done at any moment.
    Unknown,
    /// It was done, and answered at this moment.
    Done(usize),
    /// It was refused: nothing was done.
    Refused,
}

#[derive(Clone, Debug)]
struct Press {
    write: Write,
    began: usize,
    stage: Stage,
    step: usize,
}

/// Names a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ticket {
    item: ItemId,
    number: usize,
}

/// A form that was filled with an item of the cart.
#[derive(Clone, Debug)]
pub(crate) struct OpenForm {
    pub(crate) notary: usize,
    pub(crate) item: ItemId,
    pub(crate) version: String,
    /// Whether the item has another price today.
    pub(crate) is_with_other_price: bool,
    /// The client's code and name.
    pub(crate) client: (String, String),
}

/// The presses on the items of all carts. Its moments are numbers that grow.
#[derive(Default)]
pub(crate) struct Carts {
    moment: usize,
    presses: BTreeMap<ItemId, Vec<Press>>,
    /// The forms that are open in the notaries' windows.
    pub(crate) forms: Vec<OpenForm>,
    /// What forms that were saved have replaced.
    replaced: BTreeSet<(ItemId, String)>,
    /// The answer to each key by which an order was repeated: how many items the cart had then.
    pub(crate) repeated: BTreeMap<String, i64>,
    /// The items that were deleted a moment ago: the notary and the item.
    pub(crate) deleted: Vec<(usize, ItemId)>,
}

impl Carts {
    fn next_moment(&mut self) -> usize {
        self.moment += 1;
        self.moment
    }

    /// Records an item that was added.
    pub(crate) fn added(&mut self, item: ItemId, words: Option<(String, Money)>, step: usize) {
        let mut writes = vec![Write::Count(1), Write::Presence(true)];
        writes.extend(words.map(|(purpose, amount)| Write::Words(purpose, amount)));
        for write in writes {
            let ticket = self.begin(item, write, step);
            self.done(ticket);
        }
    }

    /// Records what an item was when a window showed it, where that is not known: it was put into the cart together with others.
    pub(crate) fn shown(&mut self, item: ItemId, content: &ItemContent, step: usize) {
        if self.presses.contains_key(&item) {
            return;
        }
        // Any other price is that of the tables, and may be taken anew.
        let is_typed = content.kind == PaymentKind::RequisitesPayment;
        let words = (content.purpose.as_str().to_owned(), content.price.amount);
        self.added(item, is_typed.then_some(words), step);
        let ticket = self.begin(item, Write::Count(content.count.get().into()), step);
        self.done(ticket);
    }

    /// Records that a press begins.
    pub(crate) fn begin(&mut self, item: ItemId, write: Write, step: usize) -> Ticket {
        let began = self.next_moment();
        let presses = self.presses.entry(item).or_default();
        presses.push(Press {
            write,
            began,
            stage: Stage::Unknown,
            step,
        });
        let number = presses.len() - 1;
        Ticket { item, number }
    }

    fn press(&mut self, ticket: Ticket) -> Option<&mut Press> {
        self.presses.get_mut(&ticket.item)?.get_mut(ticket.number)
    }

    /// Records that a press was answered as done.
    pub(crate) fn done(&mut self, ticket: Ticket) {
        let now = self.next_moment();
        if let Some(press) = self.press(ticket) {
            press.stage = Stage::Done(now);
        }
    }

    /// Records that a press was refused.
    pub(crate) fn refused(&mut self, ticket: Ticket) {
        if let Some(press) = self.press(ticket) {
            press.stage = Stage::Refused;
        }
    }

    /// Records that a form was saved over an item as it was when the form was filled. Returns false if another form, which was filled with the same,
    /// was saved before: nobody has seen what that one wrote.
    pub(crate) fn saved(&mut self, item: ItemId, version: String) -> bool {
        self.replaced.insert((item, version))
    }

    /// Returns the items with the step of each press on them.
    pub(crate) fn items(&self) -> impl Iterator<Item = (ItemId, Vec<usize>)> {
        self.presses
            .iter()
            .map(|(item, presses)| (*item, presses.iter().map(|press| press.step).collect()))
    }

    /// Returns whether an item may be as `seen` says: by a press that was not refused, and after whose answer no other of its kind began that was
    /// done. `None`: no press was of this kind.
    pub(crate) fn may_be(&self, item: ItemId, seen: &Write) -> Option<bool> {
        let presses = self.presses.get(&item)?;
        let of_kind = || presses.iter().filter(|press| press.write.is_of_kind(seen));
        of_kind().next()?;
        let is_last = |press: &Press| match press.stage {
            Stage::Refused => false,
            Stage::Unknown => true,
            Stage::Done(ended) => {
                !of_kind().any(|other| matches!(other.stage, Stage::Done(_)) && other.began > ended)
            }
        };
        Some(of_kind().any(|press| press.write == *seen && is_last(press)))
    }
}
