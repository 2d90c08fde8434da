/**
 * Returns the value of a claim; undefined if there is none. `path` is the name of the claim, or a path such as
 * `realm_access.roles`.
 */
export function findClaim(claims: Record<string, unknown>, path: string): unknown {
  const findByPath = () =>
    path
      .split('.')
      .reduce<unknown>((object, key) => (object as Record<string, unknown> | undefined)?.[key], claims)
  return claims[path] ?? findByPath()
}
