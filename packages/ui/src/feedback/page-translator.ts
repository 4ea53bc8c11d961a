/**
 * Keeps a page alive under a browser's translator, which puts an element in the place of each text node that it
 * translates. React still holds the text nodes: to remove one, or to put something before it, would throw and take the
 * page with it, and a new text would be seen nowhere. Here each such text has its stand-in:
 *
 *   translated    the element is noted as the stand-in of the text that went
 *   removed       the stand-in goes
 *   put before    the stand-in is the place
 *   text changed  the text comes back in place of its stand-in, for the translator to begin again
 */
const standIns = new WeakMap<Node, Element>()
const stoodFor = new WeakSet<Element>()

let isOn = false

/** Safe to repeat. */
export function surviveTranslators(): void {
  if (isOn) return
  isOn = true
  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    const standIn = standInAt(this, child)
    if (!standIn) return removeChild.call(this, child) as Child // what the browser gives back is the child
    removeChild.call(this, standIn)
    return child
  }
  Node.prototype.insertBefore = function <Child extends Node>(this: Node, node: Child, before: Node | null): Child {
    const standIn = before && standInAt(this, before)
    return insertBefore.call(this, node, standIn || before) as Child // as above
  }
  new MutationObserver((records) => {
    for (const record of records) noteTranslation(record)
  }).observe(document.documentElement, { childList: true, subtree: true })
  const changes = new MutationObserver((records) => {
    for (const { target } of records) {
      const standIn = standIns.get(target)
      if (!standIn?.isConnected) continue
      standIns.delete(target)
      standIn.replaceWith(target)
    }
  })

  function noteTranslation({ addedNodes, removedNodes, previousSibling, nextSibling }: MutationRecord): void {
    const [text] = removedNodes
    if (removedNodes.length !== 1 || !(text instanceof Text) || text.isConnected) return
    const standIn = [addedNodes[0], previousSibling, nextSibling].find(isTranslation)
    if (!standIn) return
    stoodFor.add(standIn)
    standIns.set(text, standIn)
    changes.observe(text, { characterData: true })
  }
}

/** Translators write `font`, which nothing else has written for twenty years. */
function isTranslation(node: Node | null | undefined): node is Element {
  return node instanceof Element && node.nodeName === 'FONT' && node.isConnected && !stoodFor.has(node)
}

/** The element that stands in `parent` for a text which is not there. */
function standInAt(parent: Node, child: Node): Element | undefined {
  if (child.parentNode === parent) return undefined
  const standIn = standIns.get(child)
  return standIn?.parentNode === parent ? standIn : undefined
}
