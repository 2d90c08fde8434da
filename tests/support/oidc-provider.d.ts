/** The package has no types. The test uses few of its members, and checks the values that they return. */
declare module 'oidc-provider' {
  // biome-ignore lint/suspicious/noExplicitAny: an untyped package
  const Provider: any
  export default Provider
}
