/** The package has no types. `any` is enough, because the test uses few members and checks what they return. */
declare module 'oidc-provider' {
  // biome-ignore lint/suspicious/noExplicitAny: an untyped package
  const Provider: any
  export default Provider
}
