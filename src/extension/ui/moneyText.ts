/** US dollars, as `$5`, `$0.25` or `$0.00042`: small sums keep two significant digits. */
export function moneyText(dollars: number): string {
  const digits = dollars === 0 || dollars >= 0.01 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(dollars)));
  return `$${dollars.toFixed(digits).replace(/\.00$/, '')}`;
}
