# Every target runs the script of its name under scripts/; cluster-stop and cluster-test run scripts/cluster. The scripts say what they need and do.
# `make` alone lists the targets.

.DEFAULT_GOAL := help
.PHONY: help run test check dev two-processes simulate bench bench-reports bench-ten-years overload hostile-workbooks figures kill-test cluster cluster-stop cluster-test lighthouse effort generate screenshots sbom fuzz deploy-test monitoring-test rollback-test backup-test new-machine-test release

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | awk -F '\t' '{ printf "  make %-16s %s\n", $$1, $$2 }'

run: ## Build everything and start the cabinet with its sandbox
	@scripts/run

test: ## Run every check: formatting, lints, tests on both databases, the pages, the browser
	@scripts/test

check: ## Run the fast checks only
	@scripts/check

dev: ## Start both sides with reload on change
	@scripts/dev

two-processes: ## Run tests of the API and in the browser against two processes on one PostgreSQL
	@scripts/two-processes

simulate: ## Run simulated histories of payments; OPTIONS="--count 50000 --from 1000"
	@scripts/simulate $(OPTIONS)

bench: ## Measure the speed of the release build
	@scripts/bench

bench-reports: ## Measure the reports of a notary with 75,000 orders, on both databases
	@scripts/bench-reports

bench-ten-years: ## Measure a notary with 75,000 orders among five million on PostgreSQL; OPTIONS="--orders 500000"
	@scripts/bench-ten-years $(OPTIONS)

overload: ## Pay while far more is asked than the server can answer
	@scripts/overload

hostile-workbooks: ## Read 100,000 hostile workbooks under ceilings, then send 1,000 to the program beside payments
	@scripts/hostile-workbooks

figures: ## Print figures about the source: lines, long functions, large files, circles
	@scripts/figures

kill-test: ## Kill the cabinet under load, hundreds of times, and compare orders with charges
	@scripts/kill-test

cluster: ## Start a cluster on this machine: three databases, two cabinets, proxies; make cluster-stop ends it
	@scripts/cluster start

cluster-stop: ## Stop it
	@scripts/cluster stop

cluster-test: ## Break a cluster under load, 63 times, and compare orders with charges; OPTIONS="--failures 21 --seed 2"
	@scripts/cluster test $(OPTIONS)

lighthouse: ## Measure the first pages in the browser, as on a phone on a slow line
	@scripts/lighthouse

effort: ## Do usual days' deals in the browser, on a phone and a desktop, and count clicks, keys, scrolls and time
	@scripts/effort

generate: ## Write the OpenAPI document, the TypeScript types, the drawing of the settlement and the table of settings
	@scripts/generate

screenshots: ## Take pictures of every screen and state, and those of the documents
	@scripts/screenshots

sbom: ## Write the bills of materials of a release into var/sbom
	@scripts/sbom

deploy-test: ## Try what is in deploy/: nginx, Caddy, HAProxy, the unit, the package
	@scripts/deploy-test

rollback-test: ## Go from the last release to this program, back and forward again, with payments; OPTIONS=REVISION
	@scripts/rollback-test $(OPTIONS)

backup-test: ## Restore drills on PostgreSQL under payments: pg_basebackup and pgBackRest
	@scripts/backup-test

new-machine-test: ## Follow "A new machine" of the manual on a fresh Debian in a container, from the package to a restored copy
	@scripts/new-machine-test

release: ## Make a release in var/release: program, Debian package, bills of materials, checksums
	@scripts/release $(OPTIONS)

monitoring-test: ## Test alert rules and dashboard with promtool, and against a running cabinet
	@scripts/monitoring-test

fuzz: ## Look for input that breaks a parser or the API; FUZZ_SECONDS=120 for each parser, FUZZ_CASES=100000 calls
	@scripts/fuzz
