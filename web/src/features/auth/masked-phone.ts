/** A number that is recognised by its owner and by nobody else: `+38 (050) ***-**-33`. */
export function maskedPhone(phone: string): string {
  return phone.replace(/^\+38(0\d{2})\d{5}(\d{2})$/u, '+38 ($1) ***-**-$2')
}
