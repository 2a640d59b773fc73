//! The frame of the saved cards.

use crate::answer::Answer;
use crate::person::Person;

/// The frame of a notary's saved cards, as it is open in a browser.
pub struct CardsFrame<'a> {
    person: &'a Person,
    cookie: String,
}

impl CardsFrame<'_> {
    /// Opens it, as the page «Мої картки» does.
    pub async fn open(person: &Person) -> CardsFrame<'_> {
        let answer = person.get("/tokenization/cards").await.ok();
        let url = answer["cards"]["url"]
            .as_str()
            .expect("the frame's address");
        let path = &url[url.find("/cards-frame").expect("a path of the frame")..];
        let opened = person.page(path).await;
        let cookie = opened.header("set-cookie").split(';').next();
        CardsFrame {
            person,
            cookie: cookie.unwrap_or_default().to_owned(),
        }
    }

    /// Returns its page.
    pub async fn page(&self) -> Answer {
        let call = self.person.page_call("/cards-frame");
        call.header("cookie", &self.cookie).send().await
    }

    /// Presses a button beside a card. Returns where that leads.
    pub async fn press(&self, action: &str, token: &str) -> String {
        self.send(action, &format!("token={token}")).await
    }

    /// Presses the button that adds a card. Returns the acquirer's page where the card is saved.
    pub async fn add(&self) -> String {
        self.send("add", "").await
    }

    async fn send(&self, action: &str, form: &str) -> String {
        let path = format!("/cards-frame/{action}");
        let call = self.person.page_call(&path).form(form);
        let answer = call.header("cookie", &self.cookie).send().await;
        answer.header("location").to_owned()
    }
}
