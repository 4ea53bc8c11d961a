/**
 * The XML of WebDAV's bodies: namespaces, text and plain attributes. No DTD, so no entities of their own. A library
 * with namespaces (saxes, 27 kB) would be twice as large as all of WebDAV here, for 30 lines less.
 */
import { HttpProblem } from '../kernel/problem.ts'

export interface XmlElement {
  namespace: string
  name: string
  /** Without declarations of namespaces; of attributes with a prefix only `xml:lang`. */
  attributes: readonly (readonly [string, string])[]
  children: (XmlElement | string)[]
}

export const dav = 'DAV:'
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'
const deepest = 40
const mostElements = 5000

const token =
  /<!--(?:(?!--)[\s\S])*-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([^\s<>/=]+)\s*>|<([^\s<>/=!?]+)((?:\s+[^\s=<>/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y
/** Stricter than XML by a few rare characters: names are written back as they were read. */
const plainName = /^[\p{ID_Start}_][\p{ID_Continue}.·-]*$/u
const attribute = /([^\s=<>/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g

/** The one element in `text`; throws 400 badParameter for what is not well-formed. */
export function parseXml(text: string): XmlElement {
  const top: XmlElement = { namespace: '', name: '', attributes: [], children: [] }
  const open: { element: XmlElement; tag: string; prefixes: ReadonlyMap<string, string> }[] = [
    { element: top, tag: '', prefixes: new Map([['xml', xmlNamespace]]) },
  ]
  let elements = 0
  token.lastIndex = text.startsWith('\uFEFF') ? 1 : 0
  while (token.lastIndex < text.length) {
    const match = token.exec(text)
    const around = open.at(-1)
    if (!match || !around) throw malformed()
    const [, data, closed, opened, written = '', isEmpty, plain] = match
    if (data !== undefined) around.element.children.push(data)
    else if (plain !== undefined) around.element.children.push(decode(plain))
    else if (closed !== undefined) {
      if (around.tag !== closed || open.length === 1) throw malformed()
      open.pop()
    } else if (opened !== undefined) {
      elements += 1
      if (open.length > deepest || elements > mostElements) throw malformed()
      const { attributes, prefixes } = readAttributes(written, around.prefixes)
      const element = { ...nameOf(opened, prefixes), attributes, children: [] }
      around.element.children.push(element)
      if (isEmpty === '') open.push({ element, tag: opened, prefixes })
    }
  }
  const [root, ...more] = top.children.filter((child) => typeof child !== 'string' || child.trim() !== '')
  if (open.length > 1 || root === undefined || typeof root === 'string' || more.length > 0) throw malformed()
  return root
}

function readAttributes(written: string, around: ReadonlyMap<string, string>) {
  const prefixes = new Map(around)
  const attributes: [string, string][] = []
  for (const [, name = '', double, single] of written.matchAll(attribute)) {
    const value = decode(double ?? single ?? '')
    if (name === 'xmlns') prefixes.set('', value)
    else if (name.startsWith('xmlns:')) {
      if (value === '') throw malformed() // Namespaces in XML 1.0, 2.2
      prefixes.set(name.slice('xmlns:'.length), value)
    } else if (!name.includes(':') || name === 'xml:lang') {
      if (!plainName.test(name.replace(':', '')) || attributes.some(([one]) => one === name)) throw malformed()
      attributes.push([name, value])
    }
  }
  return { attributes, prefixes }
}

function nameOf(written: string, prefixes: ReadonlyMap<string, string>): { namespace: string; name: string } {
  const [prefix = '', name, ...more] = written.includes(':') ? written.split(':') : ['', written]
  const namespace = prefixes.get(prefix) ?? (prefix === '' ? '' : undefined)
  if (!name || !plainName.test(name) || more.length > 0 || namespace === undefined) throw malformed()
  return { namespace, name }
}

const entities = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }))

function decode(text: string): string {
  return text.replace(/&([^;]*);?/g, (_, name: string) => {
    const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? []
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    const decoded = Number.isNaN(code) ? entities.get(name) : code <= 0x10ffff ? String.fromCodePoint(code) : undefined
    if (decoded === undefined) throw malformed()
    return decoded
  })
}

export function escapeXml(text: string): string {
  return (
    text
      .replace(/[&<>"]/g, (mark) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[mark]};`)
      // Names of files may hold what XML cannot say.
      .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
  )
}

/** `element` as text, for a place whose default namespace is `around`. */
export function writeXml({ namespace, name, attributes, children }: XmlElement, around = ''): string {
  const own = namespace === around ? '' : ` xmlns="${escapeXml(namespace)}"`
  const others = attributes.map(([key, value]) => ` ${key}="${escapeXml(value)}"`).join('')
  const inner = children.map((child) => (typeof child === 'string' ? escapeXml(child) : writeXml(child, namespace)))
  return `<${name}${own}${others}>${inner.join('')}</${name}>`
}

export function childrenOf(element: XmlElement): XmlElement[] {
  return element.children.filter((child) => typeof child !== 'string')
}

/** The child `name` of WebDAV's own namespace. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return childrenOf(element).find((child) => child.namespace === dav && child.name === name)
}

export function malformed(): HttpProblem {
  return new HttpProblem(400, 'badParameter', 'body: is not the XML that this method takes')
}
