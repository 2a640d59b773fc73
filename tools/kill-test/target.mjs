// What clients call and commands look at: one cabinet, or a cluster behind its proxy.

let cabinet

/** Says which cabinet is tried: its `url`, `isUp` (resolved when it may be called) and `command(...words)`. */
export function tryCabinet(tried) {
  cabinet = tried
}

export const target = {
  get url() {
    return cabinet.url
  },
  get isUp() {
    return cabinet.isUp
  },
  command: (...words) => cabinet.command(...words),
  /** Is told of every answer and of every call that had none: `status` (0 for none), `method`, `headers`, `at`. */
  watch: () => {},
}
