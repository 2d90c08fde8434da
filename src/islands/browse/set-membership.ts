/** Returns `values` with or without `value`, each value once. */
export const setMembership = <V>(values: readonly V[], value: V, isMember: boolean): V[] => [
  ...values.filter((otherValue) => otherValue !== value),
  ...(isMember ? [value] : []),
]
