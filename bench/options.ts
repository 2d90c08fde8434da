/** Returns the value of the command line option `--name=value` of a benchmark. */
export const readOption = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1]

/** Returns the number of the command line option `--name=number`. */
export const readNumberOption = (name: string, defaultValue: number): number =>
  Number(readOption(name) ?? defaultValue)
