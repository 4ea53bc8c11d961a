/** Assumed usage, as it is typed: decimal text in GB, in the format of the reader's language. */
import { type MeteredProduct, meteredProducts, Quantity } from '@atoll/contract/billing'

export type TypedUsage = Readonly<Partial<Record<MeteredProduct, string>>>

/** As the call takes it; undefined: it is none. */
export function readQuantity(typed: string): string | undefined {
  const text = typed.trim().replace(',', '.')
  return Quantity.safeParse(text).success ? text : undefined
}

/** Those that are typed and are quantities; what is left out counts as nothing more. */
export function readUsage(typed: TypedUsage): Partial<Record<MeteredProduct, string>> {
  return Object.fromEntries(
    meteredProducts.flatMap((product) => {
      const quantity = readQuantity(typed[product] ?? '')
      return quantity === undefined ? [] : [[product, quantity]]
    }),
  )
}
