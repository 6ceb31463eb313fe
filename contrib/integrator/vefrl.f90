! SPDX-License-Identifier: Apache-2.0
! The kernel of integrator/vefrl: kicks, drifts, turns; how large a step it allows. vefrl.c has the
! manifest and says what the method is. No call needs the Fortran run-time library.
module vefrl
    use, intrinsic :: iso_c_binding, only: c_double, c_int32_t, c_int8_t
    implicit none
    private
    integer, parameter :: dp = c_double
    ! Omelyan, Mryglod, Folk 2002, eq. (22) [velocity version]
    real(dp), parameter :: xi = 0.1644986515575760_dp
    real(dp), parameter :: lambda = -0.02094333910398989_dp
    real(dp), parameter :: chi = 1.235692651138917_dp
    real(dp), parameter :: kicks(0:4) = [xi, chi, 1 - 2 * (chi + xi), chi, xi]
    real(dp), parameter :: drifts(0:4) = [0.5_dp - lambda, lambda, lambda, 0.5_dp - lambda, 0.0_dp]

contains

    ! Time of the evaluation after stage k < 4, in steps.
    pure real(dp) function vefrl_offset(k) bind(c)
        integer(c_int32_t), value :: k
        vefrl_offset = merge(1.0_dp, sum(drifts(0:k)), k >= 3) ! 1 without a rounding
    end function

    ! Stage k of n bodies: kick, drift. In stage 0 displacement and rotation start at 0.
    subroutine vefrl_move(n, k, dt, x, y, z, vx, vy, vz, wx, wy, wz, inv_mass, inv_inertia, round, &
                          wrench, dx, dy, dz, rx, ry, rz) bind(c)
        integer(c_int32_t), value :: n, k
        real(dp), value :: dt
        real(dp), intent(inout), dimension(n) :: x, y, z, vx, vy, vz, wx, wy, wz
        real(dp), intent(inout), dimension(n) :: dx, dy, dz, rx, ry, rz
        real(dp), intent(in) :: inv_mass(n), inv_inertia(n), wrench(8, n)
        integer(c_int8_t), intent(in) :: round(n)
        real(dp) :: kick, drift, of_v, of_w
        integer :: i

        kick = kicks(k) * dt
        drift = drifts(k) * dt
        do i = 1, n
            of_v = kick * inv_mass(i)
            vx(i) = vx(i) + of_v * wrench(1, i)
            vy(i) = vy(i) + of_v * wrench(2, i)
            vz(i) = vz(i) + of_v * wrench(3, i)
            of_w = merge(kick * inv_inertia(i), 0.0_dp, round(i) /= 0) ! others: vefrl_turn
            wx(i) = wx(i) + of_w * wrench(5, i)
            wy(i) = wy(i) + of_w * wrench(6, i)
            wz(i) = wz(i) + of_w * wrench(7, i)
        end do
        if (k == 4) return
        if (k == 0) then
            dx = 0
            dy = 0
            dz = 0
            rx = 0
            ry = 0
            rz = 0
        end if
        do i = 1, n
            x(i) = x(i) + drift * vx(i)
            y(i) = y(i) + drift * vy(i)
            z(i) = z(i) + drift * vz(i)
            dx(i) = dx(i) + drift * vx(i)
            dy(i) = dy(i) + drift * vy(i)
            dz(i) = dz(i) + drift * vz(i)
            of_w = merge(drift, 0.0_dp, round(i) /= 0)
            rx(i) = rx(i) + of_w * wx(i)
            ry(i) = ry(i) + of_w * wy(i)
            rz(i) = rz(i) + of_w * wz(i)
        end do
    end subroutine

    ! Stage k of one body that is not round: kick of its angular momentum, then it turns freely, by
    ! Forest and Ruth's three steps of order 4. In each it turns about its axes x, y, z, y, x, by
    ! Cayley's rational angle, which needs no sine.
    subroutine vefrl_turn(k, dt, inverse, torque, q, w, rotation) bind(c)
        integer(c_int32_t), value :: k
        real(dp), value :: dt
        real(dp), intent(in) :: inverse(3), torque(3)
        real(dp), intent(inout) :: q(4), w(3), rotation(3)
        real(dp) :: l(3), before(3), time
        real(dp), parameter :: theta = 1.3512071919596578_dp ! 1 / (2 - 2^(1/3))
        real(dp), parameter :: shares(3) = [theta, 1 - 2 * theta, theta]
        integer, parameter :: axes(5) = [1, 2, 3, 2, 1]
        integer :: a, part

        l = momentum(q, inverse, w) + kicks(k) * dt * torque
        w = spin(q, inverse, l)
        if (k == 4) return
        do part = 1, 3
            before = w
            time = shares(part) * drifts(k) * dt
            do a = 1, 5
                call turn_axis(axes(a), merge(time, 0.5_dp * time, a == 3), inverse, l, q)
            end do
            w = spin(q, inverse, l)
            rotation = rotation + 0.5_dp * time * (before + w)
        end do
    end subroutine

    subroutine turn_axis(a, time, inverse, l, q)
        integer, intent(in) :: a
        real(dp), intent(in) :: time, inverse(3), l(3)
        real(dp), intent(inout) :: q(4)
        real(dp) :: body(3), r(3), p(4)
        body = rotate_back(q, l)
        r = 0
        r(a) = 0.5_dp * time * inverse(a) * body(a)
        p(1) = q(1) - q(2) * r(1) - q(3) * r(2) - q(4) * r(3)
        p(2) = q(2) + q(1) * r(1) + q(3) * r(3) - q(4) * r(2)
        p(3) = q(3) + q(1) * r(2) + q(4) * r(1) - q(2) * r(3)
        p(4) = q(4) + q(1) * r(3) + q(2) * r(2) - q(3) * r(1)
        q = p / sqrt(p(1)**2 + p(2)**2 + p(3)**2 + p(4)**2)
    end subroutine

    ! Angular momentum of a body that spins at w. An axis without inertia has none.
    pure function momentum(q, inverse, w) result(l)
        real(dp), intent(in) :: q(4), inverse(3), w(3)
        real(dp) :: l(3)
        l = rotate_back(q, w)
        l = merge(l / merge(inverse, 1.0_dp, inverse > 0), 0.0_dp, inverse > 0)
        l = rotate(q, l)
    end function

    pure function spin(q, inverse, l) result(w)
        real(dp), intent(in) :: q(4), inverse(3), l(3)
        real(dp) :: w(3)
        w = rotate_back(q, l) * inverse
        w = rotate(q, w)
    end function

    ! From the axes of the body to those of the world.
    pure function rotate(q, v) result(out)
        real(dp), intent(in) :: q(4), v(3)
        real(dp) :: out(3), t(3)
        t = 2 * cross(q(2:4), v)
        out = v + q(1) * t + cross(q(2:4), t)
    end function

    pure function rotate_back(q, v) result(out)
        real(dp), intent(in) :: q(4), v(3)
        real(dp) :: out(3), t(3)
        t = 2 * cross(q(2:4), v)
        out = v - q(1) * t + cross(q(2:4), t)
    end function

    pure function cross(a, b) result(c)
        real(dp), intent(in) :: a(3), b(3)
        real(dp) :: c(3)
        c(1) = a(2) * b(3) - a(3) * b(2)
        c(2) = a(3) * b(1) - a(1) * b(3)
        c(3) = a(1) * b(2) - a(2) * b(1)
    end function

    ! The largest omega dt of x'' + 2 zeta x' + x = 0 up to which an amplitude grows by no more than
    ! `growth` of itself per step.
    real(dp) function vefrl_limit(zeta, growth) bind(c)
        real(dp), value :: zeta, growth
        real(dp) :: low, high, middle, ahead
        integer :: k
        ahead = 1 / (512 * (1 + zeta))
        low = 0
        high = ahead
        do while (high < 16 .and. holds(high, zeta, 1 + growth))
            low = high
            high = high + ahead
        end do
        do k = 1, 40
            middle = 0.5_dp * (low + high)
            if (holds(middle, zeta, 1 + growth)) then
                low = middle
            else
                high = middle
            end if
        end do
        vefrl_limit = low
    end function

    ! Whether all roots of the step's matrix are within a circle, by its characteristic polynomial
    ! and Schur and Cohn's test. The step keeps place, velocity, acceleration.
    logical function holds(h, zeta, radius)
        real(dp), intent(in) :: h, zeta, radius
        real(dp) :: m(3, 3), c(0:3), b(0:3), by
        integer :: i, j, n
        do j = 1, 3
            m(:, j) = 0
            m(j, j) = 1
            do i = 0, 4
                m(2, j) = m(2, j) + kicks(i) * h * m(3, j)
                m(1, j) = m(1, j) + drifts(i) * h * m(2, j)
                if (i < 4) m(3, j) = -m(1, j) - 2 * zeta * m(2, j)
            end do
        end do
        c(0) = 1
        c(1) = -(m(1, 1) + m(2, 2) + m(3, 3)) / radius
        c(2) = (m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1) + m(1, 1) * m(3, 3) - m(1, 3) * m(3, 1) + &
                m(2, 2) * m(3, 3) - m(2, 3) * m(3, 2)) / radius**2
        c(3) = -(m(1, 1) * (m(2, 2) * m(3, 3) - m(2, 3) * m(3, 2)) - &
                 m(1, 2) * (m(2, 1) * m(3, 3) - m(2, 3) * m(3, 1)) + &
                 m(1, 3) * (m(2, 1) * m(3, 2) - m(2, 2) * m(3, 1))) / radius**3
        holds = .false.
        do n = 3, 1, -1
            by = c(n) / c(0)
            if (.not. abs(by) < 1) return
            do i = 0, n - 1
                b(i) = c(i) - by * c(n - i)
            end do
            do i = 0, n - 1
                c(i) = b(i)
            end do
        end do
        holds = .true.
    end function

end module
