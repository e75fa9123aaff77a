# SPDX-License-Identifier: MIT
"""Small SVG charts for the pages of results: horizontal bars and lines on logarithmic axes."""
import html
import math

COLOURS = ("#0b66a8", "#c2410c", "#5b8c2a", "#7c4dab", "#8a97a3", "#b8860b")
WIDTH, LEFT, RIGHT = 760, 190, 70


def shown(value):
    """A number as people write it: three digits, thousands with commas."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def text(x, y, content, anchor="start", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{html.escape(content)}</text>'


def legend(names, y):
    parts, x = [], LEFT
    for number, name in enumerate(names):
        parts.append(f'<rect x="{x}" y="{y - 9}" width="11" height="11" fill="{COLOURS[number % len(COLOURS)]}"/>')
        parts.append(text(x + 16, y, name))
        x += 30 + 7 * len(name)
    return parts


def svg(height, title, parts):
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#1d2733">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        text(12, 22, title, more='font-size="14" font-weight="bold"'), *parts, "</svg>"]) + "\n"


def bars(title, labels, series, log=False):
    """Horizontal bars: `series` is {name: [value or None, ...]}, one value for each label."""
    values = [value for row in series.values() for value in row if value]
    high = max(values)
    low = min(values) / 2 if log else 0
    room = WIDTH - LEFT - RIGHT
    length = (lambda v: room * math.log(v / low) / math.log(high / low)) if log else (lambda v: room * v / high)
    parts, y = legend(series, 42) if len(series) > 1 else [], 58 if len(series) > 1 else 36
    for row, label in enumerate(labels):
        parts.append(text(LEFT - 8, y + 7 * len(series) + 3, label, "end"))
        for number, column in enumerate(series.values()):
            value = column[row]
            if value:
                parts.append(f'<rect x="{LEFT}" y="{y}" width="{max(1, length(value)):.1f}" height="12" '
                             f'fill="{COLOURS[number % len(COLOURS)]}"/>')
                parts.append(text(LEFT + max(1, length(value)) + 5, y + 10, shown(value), more='font-size="11"'))
            y += 14
        y += 7
    return svg(y + 6, title + (", logarithmic" if log else ""), parts)


def ticks(low, high):
    """Powers of ten within a range, and its ends."""
    return [10.0 ** power for power in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)] or [low, high]


def lines(title, x_name, series):
    """Curves on two logarithmic axes: `series` is {name: [(x, y), ...]}."""
    points = [point for curve in series.values() for point in curve if point[1]]
    (x0, x1), (y0, y1) = ((min(p[axis] for p in points) / 1.1, max(p[axis] for p in points) * 1.1) for axis in (0, 1))
    top, bottom, left, right = 62, 330, 70, WIDTH - 30
    at_x = lambda x: left + (right - left) * math.log(x / x0) / math.log(x1 / x0)
    at_y = lambda y: bottom - (bottom - top) * math.log(y / y0) / math.log(y1 / y0)
    parts = legend(series, 42)
    for x in ticks(x0, x1):
        parts += [f'<line x1="{at_x(x):.1f}" x2="{at_x(x):.1f}" y1="{top}" y2="{bottom}" stroke="#dde3e8"/>',
                  text(at_x(x), bottom + 16, shown(x), "middle")]
    for y in ticks(y0, y1):
        parts += [f'<line x1="{left}" x2="{right}" y1="{at_y(y):.1f}" y2="{at_y(y):.1f}" stroke="#dde3e8"/>',
                  text(left - 6, at_y(y) + 4, shown(y), "end")]
    for number, curve in enumerate(series.values()):
        colour = COLOURS[number % len(COLOURS)]
        curve = [point for point in curve if point[1]]
        path = " ".join(f"{at_x(x):.1f},{at_y(y):.1f}" for x, y in curve)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{at_x(x):.1f}" cy="{at_y(y):.1f}" r="3" fill="{colour}"/>' for x, y in curve]
    parts.append(text((left + right) / 2, bottom + 34, x_name, "middle"))
    return svg(bottom + 46, title, parts)
