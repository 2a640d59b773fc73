/** Moves the focus to the heading of the page: the pressed button has disappeared. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('[data-page-heading]')?.focus()
}
