/** A stored number as the mask writes it: `+38 (050) 111-22-33`. */
export function formatPhone(phone: string): string {
  return phone.replace(/^\+38(\d{3})(\d{3})(\d{2})(\d{2})$/u, '+38 ($1) $2-$3-$4')
}
