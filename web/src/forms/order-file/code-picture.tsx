import type { CodePicture as Picture } from '@/lib/order-file'

interface CodePictureProps {
  readonly picture: Picture
  readonly label: string
}

/** The light zone around a code, in modules. */
const ZONE = 4

/** A QR code, that of a transfer with the hryvnia sign in a white circle in its middle. It is dark on white in every theme, or phones can't read it. */
export function CodePicture({ picture: { side, path, sign_across: across }, label }: CodePictureProps) {
  const middle = side / 2
  const whole = side + 2 * ZONE
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-ZONE} ${-ZONE} ${whole} ${whole}`}
      className="aspect-square w-full max-w-72 shrink-0"
    >
      <rect x={-ZONE} y={-ZONE} width={whole} height={whole} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
      {across > 0 && (
        <>
          <circle cx={middle} cy={middle} r={across / 2} fill="#fff" />
          <text
            x={middle}
            y={middle}
            dy="0.36em"
            textAnchor="middle"
            fontSize={across * 0.84}
            fontWeight={600}
            fill="#000"
            aria-hidden
          >
            ₴
          </text>
        </>
      )}
    </svg>
  )
}
