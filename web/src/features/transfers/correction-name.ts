/** The name of the form that corrects a transfer, and of what is kept of it. */
export const correctionName = (documentNumber: number) => `transfer-${documentNumber}`
