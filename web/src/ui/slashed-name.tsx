import { Fragment } from 'react'

/** A name like «ГУК у м.Києві/Голосіїв.р-н/22012600». Its lines break after slashes, not inside a number. */
export function SlashedName({ name }: { readonly name: string }) {
  return name.split('/').map((part, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts have nothing else, and never move
    <Fragment key={at}>
      {at > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ))
}
