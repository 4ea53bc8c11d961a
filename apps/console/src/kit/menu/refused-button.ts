/**
 * The properties of a button that cannot be pressed now for `reason`; undefined: it can. Not `disabled`: one could not
 * reach it, and would not learn why.
 */
export function refusedButton(reason: string | undefined) {
  const refused = reason !== undefined
  return { 'aria-disabled': refused, 'data-tip': reason, ...(refused && { 'data-disabled': true }) }
}
