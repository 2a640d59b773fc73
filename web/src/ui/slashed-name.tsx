import { Fragment } from 'react'

/**
 * The name of a recipient, like «ГУК у м.Києві/Голосіїв.р-н/22012600», which is Ukrainian in every language of the interface. Its lines
 * break after slashes, not inside a number.
 */
export function SlashedName({ name }: { readonly name: string }) {
  return (
    <span lang="uk">
      {name.split('/').map((part, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts have nothing else, and never move
        <Fragment key={at}>
          {at > 0 && (
            <>
              /<wbr />
            </>
          )}
          {part}
        </Fragment>
      ))}
    </span>
  )
}
