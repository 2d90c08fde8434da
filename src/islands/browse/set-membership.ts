/** Returns `values` without `value` or, if `isMember` is true, with `value` once at the end. */
export const setMembership = <V>(values: readonly V[], value: V, isMember: boolean): V[] => [
  ...values.filter((otherValue) => otherValue !== value),
  ...(isMember ? [value] : []),
]
