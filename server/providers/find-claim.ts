/** Returns a claim by its name, or by a path such as `realm_access.roles`. */
export function findClaim(claims: Record<string, unknown>, path: string): unknown {
  const findByPath = () =>
    path
      .split('.')
      .reduce<unknown>((object, key) => (object as Record<string, unknown> | undefined)?.[key], claims)
  return claims[path] ?? findByPath()
}
