import type { z } from 'zod'

const marked = new WeakSet<z.ZodType>()

/** Marks a field of an answer that is the owner's alone: staff who look as the customer get the answer without it. */
export function ownersAlone<Field extends z.ZodType>(field: Field): Field {
  marked.add(field)
  return field
}

export function isOwnersAlone(field: z.ZodType): boolean {
  return marked.has(field)
}
