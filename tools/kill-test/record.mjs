// What has happened in this run, for the comparison and the final table.

export const seen = {
  items: new Map(),
  orders: new Map(),
  paid: new Map(),
  restores: [],
  refusals: new Map(),
  faults: new Map(),
  deaths: [],
  /** How the cabinet met the faults of its disk. */
  disks: new Map(),
  payers: new Map(),
}

/** Adds one to the count of a key. */
export const count = (map, key) => map.set(key, (map.get(key) ?? 0) + 1)

/** Whether a restored copy of the database may lack what was acknowledged at this moment. */
export const mayBeLost = (at) =>
  seen.restores.some((restore) => at >= restore.copyBegan && at <= restore.restored)

/** The cabinet ended in the middle of a call. */
export class CabinetGone extends Error {}
