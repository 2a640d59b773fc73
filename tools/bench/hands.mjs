// A person's hands at a page: every press is sent to the page as an event of its own, and counted.

/** What a person needs beside the machine, in seconds: for a key, for a press of the mouse or a finger, and for a scroll. */
const KEY = 0.2
const CLICK = 1.1
const SCROLL = 0.6

/** Whether the target has the focus, so that a press of a key meets it. */
export function isFocused(target) {
  return target.evaluate((element) => element === document.activeElement)
}

export class Hands {
  clicks = 0
  keys = 0
  scrolls = 0

  constructor(page, touches) {
    this.page = page
    this.touches = touches
    this.began = performance.now()
  }

  /** Scrolls until the target is on the screen, and presses its middle. */
  async click(target) {
    await target.waitFor()
    await this.reach(target)
    const { x, y, width, height } = await this.#still(target)
    this.clicks += 1
    if (this.touches) await this.page.touchscreen.tap(x + width / 2, y + height / 2)
    else await this.page.mouse.click(x + width / 2, y + height / 2)
  }

  /** Presses a button: by Enter at a desk, where the focus is on it or in a text field of its form, or else by hand. */
  async confirm(button) {
    await button.waitFor()
    const isIn = await button.evaluate((element) => {
      const { activeElement: focused } = document
      return element.type === 'submit' && focused?.tagName === 'INPUT' && focused.form === element.form
    })
    // The keys of a phone have Enter in a text field only.
    if (isIn || (!this.touches && (await isFocused(button)))) await this.press('Enter')
    else await this.click(button)
  }

  async press(key) {
    this.keys += 1
    await this.page.keyboard.press(key)
  }

  /** Types letter by letter. A capital counts once: its Shift is held by the other hand. */
  async type(text) {
    for (const letter of text) {
      this.keys += 1
      await this.page.keyboard.type(letter)
    }
  }

  /** Pastes what was copied elsewhere: two keys at a desk; on a phone a long press, and a tap on what that offers. */
  async paste(text) {
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    if (this.touches) this.clicks += 2
    else this.keys += 2
    await this.page.keyboard.press('ControlOrMeta+V')
  }

  async reach(target) {
    const { height } = this.page.viewportSize()
    for (let turn = 0; turn < 40; turn += 1) {
      const box = await this.#still(target)
      // The head of the page covers its first line.
      const isWhole = box.y >= 64 && box.y + box.height <= height - 8
      if (isWhole && (await this.#isFree(target))) return
      this.scrolls += 1
      // What a message covers comes free by a smaller turn.
      const turned = isWhole ? height * 0.2 : box.y < 64 ? -height * 0.6 : height * 0.6
      await this.page.mouse.wheel(0, turned)
      await this.page.waitForTimeout(150)
      const after = await target.boundingBox()
      // The end of the page.
      if (after !== null && Math.abs(after.y - box.y) < 2) return
    }
    throw new Error('the target can not be reached by scrolling')
  }

  /** Whether nothing lies on the middle of the target. */
  #isFree(target) {
    return target.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const there = document.elementFromPoint(x + width / 2, y + height / 2)
      return there !== null && (element.contains(there) || there.closest('label')?.contains(element) === true)
    })
  }

  /** The place of the target once it does not move any more. */
  async #still(target) {
    let before = await target.boundingBox()
    let still = 0
    for (let turn = 0; turn < 80; turn += 1) {
      await this.page.waitForTimeout(40)
      const now = await target.boundingBox()
      // A page that scrolls on a busy machine stands still between two steps.
      still = before !== null && now !== null && before.y === now.y && before.x === now.x ? still + 1 : 0
      if (still === 3) return now
      before = now
    }
    throw new Error('the target moves')
  }

  /** What was done so far. The time is what the page needed and what a practised person's hands do. */
  count() {
    const { clicks, keys, scrolls } = this
    const machine = (performance.now() - this.began) / 1000
    return { clicks, keys, scrolls, seconds: machine + clicks * CLICK + keys * KEY + scrolls * SCROLL }
  }
}
