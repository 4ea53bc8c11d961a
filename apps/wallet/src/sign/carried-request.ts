/**
 * The code that brought a person here who has no identity yet, or not the one that it asks for: from the screen that
 * sent them to set one up until they are back there. In this page's memory, as the words are that are drawn meanwhile.
 */
let carried: { code: string; via: 'scan' | undefined } | undefined

export function carryRequest(request: NonNullable<typeof carried>): void {
  carried = request
}
export function carriedRequest(): typeof carried {
  return carried
}
export function dropCarried(): void {
  carried = undefined
}
