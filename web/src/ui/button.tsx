import { useId, type ComponentProps, type MouseEvent, type ReactNode } from 'react'
import { useLingui } from '@lingui/react/macro'
import { cx } from './cx'
import { Icon, type IconName } from './icons'
import { Spinner } from './spinner'

type ButtonVariant = 'primary' | 'quiet' | 'danger'
export type ButtonSize = 'normal' | 'small'

const looks: Record<ButtonVariant, string> = {
  primary: 'border-seal bg-seal text-on-seal hover:border-seal-deep hover:bg-seal-deep',
  quiet: 'border-edge bg-sheet text-ink hover:border-ink hover:bg-inset',
  danger: 'border-danger bg-sheet text-danger hover:bg-danger-wash',
}

const disabledLook = 'cursor-not-allowed border-rule bg-inset text-ink-soft'

const sizes: Record<ButtonSize, string> = {
  normal: 'min-h-12 px-5 py-2.5 text-base',
  small: 'min-h-9 px-3 py-1 text-sm',
}

interface ButtonLook {
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  /** As wide as its container. */
  readonly wide?: boolean
}

/** The classes of a button, for a link that acts like one: `<Link className={buttonClass({ variant: 'primary' })}>`. */
export function buttonClass({ variant = 'quiet', size = 'normal', wide = false }: ButtonLook = {}): string {
  return cx('button', wide && 'w-full', sizes[size], looks[variant])
}

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'>, ButtonLook {
  /** The action is under way: the button shows a spinner and ignores clicks. */
  readonly loading?: boolean
  /**
   * The reason why the button cannot be pressed. It is shown under the button and read with its name. The button stays focusable,
   * so that a screen reader can reach the reason.
   */
  readonly disabledReason?: string | null | undefined
  readonly icon?: IconName
  readonly children: ReactNode
}

/** A button. Its `type` is `button` by default. */
export function Button({
  variant = 'quiet',
  size = 'normal',
  wide = false,
  loading = false,
  disabledReason = null,
  icon,
  children,
  className,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const reasonId = useId()
  const disabled = Boolean(disabledReason)

  function click(event: MouseEvent<HTMLButtonElement>) {
    // Also prevents a submit by Enter in a field: the browser submits a form by clicking its button.
    if (disabled || loading) event.preventDefault()
    else onClick?.(event)
  }

  const button = (
    <button
      {...rest}
      type={type}
      aria-disabled={disabled || loading || undefined}
      aria-busy={loading || undefined}
      aria-describedby={cx(rest['aria-describedby'], disabled && reasonId) || undefined}
      onClick={click}
      className={cx(
        'button',
        wide && 'w-full',
        sizes[size],
        disabled ? disabledLook : looks[variant],
        className,
      )}
    >
      {icon && <Icon name={icon} className={loading ? 'opacity-0' : 'shrink-0'} />}
      <span className={cx('min-w-0 text-balance', loading && 'opacity-0')}>{children}</span>
      {loading && <Waiting />}
    </button>
  )

  // The element is the same with a reason and without one; a new button would lose the focus.
  return (
    <span className={disabled ? cx('inline-flex flex-col gap-1.5', wide && 'w-full') : 'contents'}>
      {button}
      {disabled && (
        // The reason must not make the button wider.
        <span id={reasonId} className="w-0 min-w-full text-sm text-pretty text-ink-soft">
          {disabledReason}
        </span>
      )}
    </span>
  )
}

/** A spinner over the content of a button, which keeps its size. */
function Waiting() {
  const { t } = useLingui()
  return (
    <span className="absolute inset-0 flex items-center justify-center">
      <Spinner label={t`Зачекайте…`} />
    </span>
  )
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  /** The accessible name and the tooltip. */
  readonly label: string
  readonly icon: IconName
}

/** A button with only an icon; 44 by 44 pixels, in the compact density 37. */
export function IconButton({ label, icon, className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button {...rest} type={type} aria-label={label} title={label} className={cx('icon-button', className)}>
      <Icon name={icon} />
    </button>
  )
}
