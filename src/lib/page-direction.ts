export const isPageRightToLeft = () => document.documentElement.dir === 'rtl'
