import { useEffect } from 'react'
import { session } from '@/api/session'

/** Events that only a person causes. Some assistive technologies send nothing but `click`. */
const signsOfSomebody = ['pointerdown', 'keydown', 'wheel', 'input', 'click'] as const

/** Reports the person's activity to the session: background requests of an open tab must not keep the session alive. */
export function useAttendance(): void {
  useEffect(() => {
    const attend = () => session.attend()
    for (const sign of signsOfSomebody) addEventListener(sign, attend, { capture: true, passive: true })
    return () => {
      for (const sign of signsOfSomebody) removeEventListener(sign, attend, { capture: true })
    }
  }, [])
}
