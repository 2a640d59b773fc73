//! What notaries and clients did with carts, pages, links and QR codes, counted, so that none of it is tried in name alone.

/// Something that was done with a cart, a page, a link or QR codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    /// A form that was filled with an item of the cart was saved.
    FormSaved,
    /// It was refused, because another window had changed the item meanwhile.
    FormRefused,
    /// A form was saved while another window took today's price, which is another one, for the same item.
    FormSavedWhileRepriced,
    /// An item that was deleted was put back.
    DeletionUndone,
    /// The payments of an order were put into the cart again.
    Repeated,
    /// QR codes were given out.
    CodesGiven,
    /// Somebody was asked whether the codes were paid, before anything else is done with the order.
    CodesAskedAbout,
    /// An order was marked as paid by its codes.
    Marked,
    /// The mark was taken back.
    MarkUndone,
    /// A page or a charge was refused, because the order is marked.
    RefusedForMark,
    /// A client got the acquirer's page by a link.
    PageByLink,
    /// A card was charged on such a page.
    PaidByLink,
    /// A link was withdrawn or replaced while a client asked for the page by it.
    LinkEndedWhilePaying,
    /// A link that is over opened nothing.
    LinkOver,
    /// A card was charged on a page that had been closed, after the support had given back all that was paid on another one.
    PaidAfterRefund,
}

impl Deed {
    /// All of them.
    pub const ALL: [Deed; 15] = [
        Deed::FormSaved,
        Deed::FormRefused,
        Deed::FormSavedWhileRepriced,
        Deed::DeletionUndone,
        Deed::Repeated,
        Deed::CodesGiven,
        Deed::CodesAskedAbout,
        Deed::Marked,
        Deed::MarkUndone,
        Deed::RefusedForMark,
        Deed::PageByLink,
        Deed::PaidByLink,
        Deed::LinkEndedWhilePaying,
        Deed::LinkOver,
        Deed::PaidAfterRefund,
    ];
}
