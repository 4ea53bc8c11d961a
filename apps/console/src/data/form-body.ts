type FormValue = string | number | boolean | null | undefined | FormValue[] | { [key: string]: FormValue }

/** Form-encodes `body`, nested values in bracket notation (`a[b]=1`, `a[0][b]=1`); absent values are left out. */
export function formBody(body: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  // A request body is plain data: its schema in the contract holds nothing else.
  for (const [key, value] of Object.entries(body)) append(parameters, key, value as FormValue)
  return parameters.toString()
}

function append(parameters: URLSearchParams, key: string, value: FormValue): void {
  if (value === undefined || value === null) return
  if (typeof value !== 'object') {
    parameters.append(key, String(value))
    return
  }
  for (const [inner, item] of Object.entries(value)) append(parameters, `${key}[${inner}]`, item)
}
