"""Calls the whole API as its OpenAPI document describes it, with generated requests, and fails on an answer that it doesn't describe.

    run.py --binary target/release/cabinet --cases 100000

Starts the binary with its sandbox and a database of its own, signs a notary up, orders something, and runs schemathesis.
"""

import argparse
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance"
PERSON_IBAN = "UA213223130000026007233566001"
OWN_CODE = "3068208400"
#: Calls that may end the session of their caller.
ENDING = ["/api/auth/logout", "/api/me/sessions/{id}/end"]
CLIENT = {"inn": "3184710691", "full_name": "Коваленко Марія Петрівна"}
#: Far above what one address may do, so that limits don't end every call at once.
LIMITS = {
    "CABINET_SIGN_UP_CONFIRMATION": "none",
    "CABINET_ACCOUNTS_DECLINES_HOURLY_MAX": "10000",
    "CABINET_CODES_ADDRESS_HOURLY_MAX": "100000",
    "CABINET_CODES_ADDRESS_WRONG_DAILY_MAX": "100000",
    "CABINET_LIMITS_LOGIN_ATTEMPTS_PER_MINUTE": "1000000",
    "CABINET_LIMITS_ACQUIRER_CALLS_PER_MINUTE": "1000000",
}
TOKEN_SECONDS = 240


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def call(url, body=None, headers=None, opener=urllib.request, refused_for=None):
    """The JSON of an answer; fails unless it is a success. `refused_for`: what a 403 asks for is an answer, too."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **(headers or {})})
    send = opener.urlopen if opener is urllib.request else opener.open
    try:
        with send(request, timeout=60) as answer:
            return json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        text = error.read().decode()
        if refused_for is not None and error.code == 403:
            return json.loads(text)[refused_for]
        sys.exit(f"{url} answers {error.code}: {text}")


class Cabinet:
    """A running cabinet with its sandbox."""

    def __init__(self, binary, folder):
        port, sandbox = free_port(), free_port()
        self.url, self.sandbox = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{sandbox}"
        self.log = folder / "cabinet.log"
        environment = {
            "PATH": os.environ["PATH"],
            "CABINET_LISTEN": f"127.0.0.1:{port}",
            "CABINET_SANDBOX_LISTEN": f"127.0.0.1:{sandbox}",
            "CABINET_PUBLIC_URL": self.url,
            "CABINET_DATABASE_URL": f"sqlite:{folder}/cabinet.sqlite",
            "CABINET_LOG": "warn",
            **LIMITS,
        }
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [binary, "serve", "--sandbox"], cwd=folder, env=environment, stdout=log, stderr=log
            )
        for _ in range(600):
            if self.process.poll() is not None:
                sys.exit(f"The cabinet ended with code {self.process.returncode}:\n{self.log.read_text()[-2000:]}")
            try:
                call(f"{self.url}/readyz")
                return
            except (urllib.error.URLError, ConnectionError, json.JSONDecodeError) as error:
                if isinstance(error, json.JSONDecodeError):
                    return
                time.sleep(0.1)
        sys.exit("The cabinet is not ready after a minute.")

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)


class Notary:
    """A notary who has signed up, with the cookies of her browser."""

    def __init__(self, cabinet, phone):
        self.cabinet = cabinet
        self.phone = phone
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        person = {"phone": phone, "full_name": "Шевченко Оксана Іванівна", "registry_identifier": "NOTAR777", "is_agreed": True}
        started = self.post("/auth/sign-up", person)
        self.token = started["access_token"]
        body = {"otp_code": self.code(), "operation_id": started["operation_id"]}
        self.token = self.post("/auth/sign-up/verify", body)["access_token"]

    def messages(self):
        return call(f"{self.cabinet.sandbox}/sandbox/messages?phone={urllib.parse.quote(self.phone)}")

    def code(self, after=0):
        """The code of the newest message, once there are more than `after`."""
        for _ in range(100):
            messages = self.messages()
            if len(messages) > after:
                return re.search(r"(?<!\d)\d{4,8}(?!\d)", messages[0]["text"]).group()
            time.sleep(0.1)
        sys.exit("The sandbox got no code.")

    def headers(self):
        token = getattr(self, "token", None)
        return {"Origin": self.cabinet.url, **({"Authorization": f"Bearer {token}"} if token else {})}

    def refresh(self):
        self.token = self.post("/auth/refresh", {})["access_token"]

    def get(self, path):
        return call(f"{self.cabinet.url}/api{path}", headers=self.headers(), opener=self.browser)

    def post(self, path, body):
        return call(f"{self.cabinet.url}/api{path}", body, self.headers(), self.browser)

    def post_proved(self, path, body):
        """Sends what is refused without a proof, proves it by a code, and sends it again."""
        proof = call(f"{self.cabinet.url}/api{path}", body, self.headers(), self.browser, refused_for="proof")
        sent = len(self.messages())
        started = self.post("/auth/confirmation", proof)
        self.post("/auth/confirmation/otp", {"otp_code": self.code(after=sent), "operation_id": started["operation_id"]})
        return self.post(path, body)


def facts_of(notary):
    """Known values by the name of their field, and bodies that succeed by the path of their call."""
    known = {"phone": [notary.phone], "iban": [PERSON_IBAN], "okpo": ["37193071"], "inn": [CLIENT["inn"]]}
    payments = []
    types = notary.get("/payment-types")["payment_types"]
    known["payment_type_id"] = [one["id"] for one in types]
    for one in types:
        if one["slug"] == "requisites_payment":
            purpose = f"За послуги, {CLIENT['full_name']}, код {CLIENT['inn']}"
            chosen = {"amount": 340.5, "iban": PERSON_IBAN, "okpo": "37193071", "recipient_name": "ТОВ «Приклад»", "purpose": purpose}
            payments.append({"client": CLIENT, "payment_type_id": one["id"], **chosen})
            continue
        fields = notary.get(f"/payment-types/fields?payment_type_id={one['id']}")
        known.setdefault("payment_type_option_id", []).extend(option["id"] for option in fields["options"])
        known["payment_type_region_id"] = [region["id"] for region in fields["regions"]]
        option = fields["options"][0]["id"]
        terms = notary.get(f"/payment-types/option/terms?payment_type_option_id={option}")["terms"]
        term = {} if one["slug"] == "registry_payment" or not terms else {"payment_type_option_term_id": terms[0]["id"]}
        known.setdefault("payment_type_option_term_id", []).extend(row["id"] for row in terms)
        for region in fields["regions"]:
            query = f"payment_type_region_id={region['id']}&payment_type_id={one['id']}"
            query += "".join(f"&{name}={value}" for name, value in term.items())
            requisites = notary.get(f"/payment-types/region/requisites?{query}")["requisites"]
            if requisites:
                chosen = {"payment_type_option_id": option, **term, "payment_type_region_id": region["id"], "payment_type_requisite_id": requisites[0]["id"]}
                own = {"iban": PERSON_IBAN, "okpo": OWN_CODE} if one["slug"] == "admin_payment" else {}
                payments.append({"client": CLIENT, "payment_type_id": one["id"], **chosen, **own})
                known.setdefault("payment_type_requisite_id", []).append(requisites[0]["id"])
                break
    orders = []
    for body in payments:
        notary.post("/cart/add", body)
        group = notary.get("/cart")["groups"][0]
        orders.append(notary.post("/order/create", {"client_id": group["client"]["id"], "is_agreed": True})["order"])
    notary.post("/cart/add", payments[-1])
    group = notary.get("/cart")["groups"][0]
    known |= {"client_id": [group["client"]["id"]], "order_id": [order["id"] for order in orders]}
    items = [notary.get(f"/order/{order['id']}") for order in orders]
    known["item_id"] = [group["items"][0]["id"]]
    for order in items:
        known["item_id"].extend(item["id"] for item in (order.get("order") or order)["items"])
    known["status"] = ["paid", "pending", "in_progress", "failed", "expired", "refunded"]
    bodies = {
        "/api/cart/add": payments,
        "/api/order/create": [{"client_id": group["client"]["id"], "is_agreed": True}],
        "/api/cart/item/complaint": [{"item_id": known["item_id"][0], "text": "Сума не та"}],
        "/api/cart/items/count": [{"item_id": known["item_id"][0], "count": 2}],
        "/api/order/search": [{}, {"text": "Коваленко"}],
        "/api/order/export": [{}],
        "/api/auth/login": [{"phone": notary.phone}],
        "/api/auth/me": [{}],
    }
    return {"known": known, "bodies": bodies}


def keep_fresh(notary, path, stopped):
    while not stopped.wait(TOKEN_SECONDS):
        notary.refresh()
        path.write_text(notary.token)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--workers", default="2")
    parser.add_argument("--document", type=Path, default=ROOT / "docs/api/openapi.json")
    parser.add_argument("--prepare-only", action="store_true", help="make the notaries and orders, and call nothing else")
    options, more = parser.parse_known_args()
    calls = sum(len(path) for path in json.loads(options.document.read_text())["paths"].values())
    with tempfile.TemporaryDirectory(prefix="cabinet-fuzz-") as name:
        folder = Path(name)
        cabinet = Cabinet(str(Path(options.binary).resolve()), folder)
        stopped = threading.Event()
        try:
            notary = Notary(cabinet, "+380671234567")
            notary.post_proved("/me", {"inn": OWN_CODE, "okpo": OWN_CODE, "iban": PERSON_IBAN})
            facts = facts_of(notary)
            token_file = folder / "token"
            token_file.write_text(notary.token)
            own_tokens = {path: Notary(cabinet, f"+38067123457{number}").token for number, path in enumerate(ENDING)}
            facts |= {"token_file": str(token_file), "own_tokens": own_tokens}
            (folder / "facts.json").write_text(json.dumps(facts))
            if options.prepare_only:
                print(f"{len(facts['known']['order_id'])} orders are made of {len(facts['bodies']['/api/cart/add'])} kinds of payments.")
                return
            threading.Thread(target=keep_fresh, args=(notary, token_file, stopped), daemon=True).start()
            # How many cases each call gets at most; the phases before the random one take some of them.
            each = -(-options.cases // calls)
            command = [
                str(Path(sys.executable).with_name("schemathesis")), "run", str(options.document.resolve()), "--url", cabinet.url,
                "--checks", CHECKS, "--phases", "examples,coverage,fuzzing", "--max-examples", str(each),
                "--workers", options.workers, "--request-timeout", "60", "--suppress-health-check", "all",
                "--warnings", "off", "--continue-on-failure", "--no-color", *more,
            ]  # fmt: skip
            environment = {**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(Path(__file__).parent)}
            environment["CABINET_FUZZ_FACTS"] = str(folder / "facts.json")
            code = subprocess.run(command, env=environment, cwd=folder, check=False).returncode
            # Ends the run if the session was lost: then most calls were only refused.
            notary.get("/me/sessions")
        finally:
            stopped.set()
            cabinet.stop()
        log = cabinet.log.read_text()
        faults = [line for line in log.splitlines() if "panicked" in line or "fault of ours" in line]
        for line in faults[:20]:
            print(line, file=sys.stderr)
        print(f"The log of the server names {len(faults)} faults.")
        sys.exit(code or bool(faults))


if __name__ == "__main__":
    main()
