//! How a notary proves that she herself wants what is done with money.

use crate::kernel::words::words;

words! {
    /// A kind of proof. Neither a login nor a session is one.
    ProofKind {
        /// A code by SMS whose message names what is proved.
        Code = "code",
        /// A passkey whose authenticator has signed the digest of what is proved.
        Passkey = "passkey",
    }
}
