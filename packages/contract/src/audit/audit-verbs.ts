/** Actions on the wire, `kind.verb` such as `cluster.start`, of a table of verbs by kind. */
export type AuditActionOf<Verbs extends Record<string, readonly string[]>> = {
  [Kind in keyof Verbs & string]: `${Kind}.${Verbs[Kind][number]}`
}[keyof Verbs & string]
