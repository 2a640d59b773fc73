/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- a browser forgets the roles of a table once it is laid out as cards, so they are spelled out */
import type { ReactNode } from 'react'
import { cx } from './cx'

export interface RecordColumn {
  readonly label: string
  /** The column header is for screen readers only, as above a column of buttons. */
  readonly hidden?: boolean
  readonly align?: 'start' | 'end'
  /** The column takes the remaining width. */
  readonly wide?: boolean
  /** The column is left out where the table has little room. Its cells are to be left out, too. */
  readonly ifRoom?: boolean
}

export interface RecordTableProps {
  /** The accessible name. */
  readonly caption: string
  readonly columns: readonly RecordColumn[]
  /** The columns need 14rem more than others, so the records are cards in a wider container, too. */
  readonly roomy?: boolean
  /** Its rows have two lines. */
  readonly dense?: boolean
  /** Rows: `RecordRow` elements. */
  readonly children: ReactNode
}

/**
 * A table of records. In a narrow container each record becomes a card with labelled lines. The roles are set explicitly, since
 * browsers drop them when a table has another display value.
 */
export function RecordTable({ caption, columns, roomy = false, dense = false, children }: RecordTableProps) {
  return (
    // The rows ask how wide the inside of the container is; the table of a roomy one covers its padding.
    <div className={cx('@container', roomy && 'md:px-[7rem]')}>
      <table
        role="table"
        className={cx(
          'border-collapse text-sm @max-2xl:block',
          dense && '@2xl:leading-[1.3] @2xl:[&_td]:py-0.75 @2xl:[&_th]:pb-0.5',
          roomy ? 'w-full md:-mx-[7rem] md:w-[calc(100%+14rem)]' : 'w-full',
        )}
      >
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="@max-2xl:sr-only">
          <tr role="row" className="border-b border-edge">
            {columns.map(({ label, hidden, align, wide, ifRoom }) => (
              <th
                key={label}
                role="columnheader"
                scope="col"
                className={cx(
                  'px-2 pb-2 font-normal text-ink-soft first:pl-0 last:pr-0',
                  align === 'end' ? 'text-right' : 'text-left',
                  wide && 'w-full',
                  ifRoom && '@max-4xl:hidden',
                )}
              >
                {hidden ? <span className="sr-only">{label}</span> : label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="@max-2xl:block">
          {children}
        </tbody>
      </table>
    </div>
  )
}

interface RecordRowProps {
  readonly children: ReactNode
  /** The utility that places the cells in a narrow container, in place of labelled lines. Its cells have no labels. */
  readonly places?: string
  /** The row continues the row above, without a line between them. */
  readonly continued?: boolean
  readonly id?: string
  /** It is folded away. */
  readonly hidden?: boolean
}

export function RecordRow({ children, places, continued = false, id, hidden }: RecordRowProps) {
  return (
    <tr
      id={id}
      role="row"
      hidden={hidden}
      className={cx(
        places ?? '@max-2xl:flex @max-2xl:flex-col @max-2xl:gap-2 @max-2xl:py-4',
        continued ? '@max-2xl:pt-0' : 'not-first:border-t not-first:border-rule @max-2xl:first:pt-0',
      )}
    >
      {children}
    </tr>
  )
}

interface RecordCellProps {
  readonly children: ReactNode
  /** The label of the line in a card. Without it the content has the full width. */
  readonly label?: string
  readonly align?: 'start' | 'end'
  readonly className?: string
}

export function RecordCell({ children, label, align = 'start', className }: RecordCellProps) {
  return (
    <td
      role="cell"
      className={cx(
        'px-2 py-3.5 align-top first:pl-0 last:pr-0 @max-2xl:p-0',
        align === 'end' && 'text-right @max-2xl:text-left',
        label !== undefined &&
          '@max-2xl:grid @max-2xl:grid-cols-[7rem_minmax(0,1fr)] @max-2xl:gap-3 @max-2xs:grid-cols-1 @max-2xs:gap-0',
        className,
      )}
    >
      {label !== undefined && (
        <span aria-hidden="true" className="text-ink-soft @2xl:hidden">
          {label}
        </span>
      )}
      <div className="min-w-0">{children}</div>
    </td>
  )
}

/** A single cell over the whole row, for a note about the record above or in place of a record. */
export function RecordNote({
  children,
  columns,
}: {
  readonly children: ReactNode
  readonly columns: number
}) {
  return (
    <td role="cell" colSpan={columns} className="py-2 @max-2xl:p-0">
      {children}
    </td>
  )
}
