/**
 * Keeps the page true where the browser translates it all the same (`translate="no"` forbids it; extensions do it).
 *
 * A translator puts an element of its own in the place of each text. React goes on changing the text that it took out of the page, so
 * sums, statuses and names would stand still. Here such a text comes back into the page as soon as it is changed, and before React
 * removes it or puts something before it, which would fail.
 */

/** What stands in the place of a text that was taken out. */
const standIns = new WeakMap<Node, ChildNode>()

/** Puts a text back in the place that was taken from it. */
function putBack(text: Node) {
  const standIn = standIns.get(text)
  if (standIn === undefined) return
  standIns.delete(text)
  if (standIn.isConnected) standIn.replaceWith(text)
}

const isTranslation = (node: Node | null | undefined): node is HTMLElement => node?.nodeName === 'FONT'

/** Watches the texts of an element. Returns a function that ends it. */
export function showChangedTexts(root: HTMLElement): () => void {
  const observer = new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === 'characterData') {
        putBack(record.target)
        continue
      }
      const { addedNodes, previousSibling, nextSibling } = record
      for (const removed of record.removedNodes) {
        // In one step, or the translation first and then the text beside it.
        const standIn = [...addedNodes, previousSibling, nextSibling].find(isTranslation)
        if (removed.nodeType !== Node.TEXT_NODE || standIn === undefined) continue
        standIns.set(removed, standIn)
        observer.observe(removed, { characterData: true })
      }
    }
  })
  observer.observe(root, { childList: true, subtree: true })

  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function removeText<T extends Node>(this: Node, child: T): T {
    putBack(child)
    return removeChild.call(this, child) as T
  }
  Node.prototype.insertBefore = function insertBeforeText<T extends Node>(
    this: Node,
    node: T,
    child: Node | null,
  ): T {
    if (child !== null) putBack(child)
    return insertBefore.call(this, node, child) as T
  }
  return () => {
    observer.disconnect()
    Object.assign(Node.prototype, { removeChild, insertBefore })
  }
}
