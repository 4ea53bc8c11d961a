/** An ID that breaks before its domain where it is too long for a line. */
export function BrokenId({ id }: { id: string }) {
  const at = id.indexOf('@') + 1
  return (
    <>
      {id.slice(0, at)}
      <wbr />
      {id.slice(at)}
    </>
  )
}
