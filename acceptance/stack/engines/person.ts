import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot, until } from '@atoll/testkit'
import type { Tab } from './tab.ts'

type Role = keyof typeof selectors

const selectors = {
  button: 'button, [role="button"]',
  link: 'a[href]',
  heading: 'h1, h2, h3, h4',
  field: 'input, textarea',
  card: 'article',
  text: '*',
}

/**
 * In the page: elements that are seen and carry exactly this name. A text is the innermost element that has it. Names
 * of our pages come from `aria-label`, `aria-labelledby`, a label, or what stands in the element.
 */
const finder = `(selector, wanted, inside) => {
  const words = (node) => (node?.innerText ?? '').replace(/\\s+/g, ' ').trim()
  const nameOf = (node) => {
    const by = node.getAttribute('aria-labelledby')
    if (by) return by.split(' ').map((id) => words(document.getElementById(id))).join(' ')
    return node.getAttribute('aria-label') ?? (node.labels?.length ? words(node.labels[0]) : words(node))
  }
  const find = (from, chosen, name) => [...from.querySelectorAll(chosen)].filter((node) =>
    node.checkVisibility({ visibilityProperty: true }) && nameOf(node) === name)
  const [from = null] = inside ? find(document, inside.selector, inside.name) : [document]
  return from ? find(from, selector, wanted).at(-1) ?? null : null
}`

/** A person before a tab: finds things by what the screen says, presses and types. */
export function personAt(tab: Tab) {
  interface Place {
    role: Role
    name: string
  }
  /** An expression for the element, null when it is not seen. */
  const found = (role: Role, name: string, inside?: Place) => {
    const within = inside && { selector: selectors[inside.role], name: inside.name }
    return `(${finder})(...${JSON.stringify([selectors[role], name, within ?? null])})`
  }
  const shown = async () => String(await tab.evaluate(`location.href + '\\n' + document.body.innerText`))
  const wait = <T>(what: string, probe: () => Promise<T>) => until(what, probe, { onTimeout: shown })

  return {
    /** Whether it is seen right now. */
    sees: async (role: Role, name: string) => (await tab.evaluate(`${found(role, name)} !== null`)) === true,

    async waitFor(role: Role, name: string, inside?: Place): Promise<void> {
      await wait(`the ${role} “${name}”`, () => tab.evaluate(`${found(role, name, inside)} !== null`))
    },

    /** Presses the middle of it, once it stays where it is and nothing lies over it. */
    async press(role: Role, name: string, inside?: Place): Promise<void> {
      const middle = `((node) => {
        const moves = ({ playState, effect }) => playState === 'running' && effect.getComputedTiming().endTime !== Infinity
        if (!node || node.matches(':disabled') || document.getAnimations().some(moves)) return null
        node.scrollIntoView({ block: 'nearest', behavior: 'instant' })
        const { x, y, width, height } = node.getBoundingClientRect()
        const at = [x + width / 2, y + height / 2]
        return node.contains(document.elementFromPoint(...at)) ? at : null
      })(${found(role, name, inside)})`
      let before: string | undefined
      const at = await wait(`the ${role} “${name}” can be pressed`, async () => {
        const now = await tab.evaluate(middle)
        const stays = JSON.stringify(now) === before
        before = JSON.stringify(now)
        return stays ? now : null
      })
      const [x, y] = at as [number, number]
      await tab.pressAt(x, y)
    },

    /** Types in the field with this label what replaces its text. */
    async fill(label: string, text: string): Promise<void> {
      const field = found('field', label)
      await this.press('field', label)
      await wait(`the field “${label}” has focus`, () => tab.evaluate(`${field} === document.activeElement`))
      await tab.evaluate('document.activeElement.select()')
      await tab.type(text)
      await wait(`“${text}” is in the field “${label}”`, () =>
        tab.evaluate(`${field}?.value === ${JSON.stringify(text)}`),
      )
    },

    /** Waits for an answer of the page that is not empty. */
    read: (what: string, expression: string) =>
      wait(what, async () => String((await tab.evaluate(expression)) ?? '') || null),

    /** Keeps a picture of what is seen in `test-results/`. */
    async keepPicture(name: string): Promise<void> {
      const folder = join(repositoryRoot, 'test-results')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${name}.png`), await tab.takePicture())
    },
  }
}

export type Person = ReturnType<typeof personAt>
