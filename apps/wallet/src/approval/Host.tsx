import { Fragment } from 'react'

interface HostProps {
  /** Host and port. */
  value: string
}

/** A host that breaks between its parts and never inside one: `reef.` `atoll.localhost` `:4802`. */
export function Host({ value }: HostProps) {
  const parts = value.split(/(?<=\.)|(?=:\d+$)/)
  return (
    <span translate="no">
      {parts.map((part, index) => (
        // parts repeat, and a host never changes under its reader
        // biome-ignore lint/suspicious/noArrayIndexKey: position is the only identity a part has
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </span>
  )
}
